// The JSON API of this origin; the page sends no other requests.

export class Refused extends Error {}

export async function ask(path, fields) {
  const request = fields && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fields),
  };
  for (;;) {
    const answer = await fetch(path, request);
    if (answer.status !== 429) {
      const body = await answer.json();
      if (!answer.ok) throw new Refused(body.reason ? `${body.reason}: ${body.error}` : body.error);
      return body;
    }
    const seconds = Number(answer.headers.get("Retry-After")) || 1;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

export function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}
