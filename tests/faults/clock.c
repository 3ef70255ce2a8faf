/* The wall clock of one process, moved by the seconds in the file `clock` of its working folder.

   Loaded by LD_PRELOAD. Python and its libraries read the wall clock through this function alone;
   the monotonic clock, by which they wait, stays right, as it does when a host's clock is set. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long offset_s(void) {
    char digits[32] = {0};
    int file = open("clock", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    if (read(file, digits, sizeof digits - 1) < 0) digits[0] = 0;
    close(file);
    return strtol(digits, NULL, 10);
}

int clock_gettime(clockid_t which, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(which, now);
    if (code == 0 && which == CLOCK_REALTIME) now->tv_sec += offset_s();
    return code;
}
