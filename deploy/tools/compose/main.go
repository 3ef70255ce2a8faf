// compose loads a compose file as docker compose does (merges, interpolation, profiles, schema) and prints
// the project as JSON; what cannot be loaded is told on stderr with exit code 1.
//
//	compose FILE [ENV-FILE]    profiles are taken from COMPOSE_PROFILES, of the process or of the env file
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func load(file string, envFiles []string) ([]byte, error) {
	options, err := cli.NewProjectOptions(
		[]string{file},
		cli.WithOsEnv,
		cli.WithEnvFiles(envFiles...),
		cli.WithDotEnv,
		cli.WithDefaultProfiles(),
	)
	if err != nil {
		return nil, err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return nil, err
	}
	return project.MarshalJSON()
}

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: compose FILE [ENV-FILE]")
		os.Exit(2)
	}
	project, err := load(os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(project))
}
