import { fetch } from "undici";

export interface Visit {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
  /** Where it leads to, when it is a redirect. */
  location: URL | undefined;
}

export interface HttpBrowser {
  cookies: { host: string; path: string; name: string; value: string }[];
  get(address: string | URL, headers?: Record<string, string>): Promise<Visit>;
  /** A form of the page at `from`. */
  post(address: string | URL, form: Record<string, string>, from?: string): Promise<Visit>;
  /** On and on, as a browser does, until something else than a redirect comes or one leads to `until`. */
  follow(visit: Visit, until?: (location: URL) => boolean): Promise<Visit>;
}

/** Real requests with cookies as browsers keep them: by host and path, and never by port. */
export function createHttpBrowser(): HttpBrowser {
  const browser: HttpBrowser = {
    cookies: [],
    get: (address, headers = {}) => send("GET", address, headers),
    post: (address, form, from) => {
      const { origin } = new URL(from ?? String(address));
      const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
      return send("POST", address, headers, new URLSearchParams(form).toString());
    },
    follow: async (visit, until = () => false) => {
      let current = visit;
      for (let hop = 0; current.location && !until(current.location); hop += 1) {
        if (hop > 20) throw new Error(`redirected without end: ${current.location.href}`);
        current = await browser.get(current.location);
      }
      return current;
    },
  };

  async function send(method: string, address: string | URL, headers: Record<string, string>, body?: string) {
    const url = new URL(address);
    const cookie = browser.cookies
      .filter(({ host, path }) => host === url.hostname && isUnder(url.pathname, path))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const response = await fetch(url, {
      method,
      redirect: "manual",
      headers: { accept: "text/html", ...headers, ...(cookie && { cookie }) },
      ...(body !== undefined && { body }),
    });
    for (const line of response.headers.getSetCookie()) keep(url.hostname, line);
    const location = response.headers.get("location");
    return {
      url,
      status: response.status,
      headers: response.headers as unknown as Headers,
      text: await response.text(),
      location: location === null ? undefined : new URL(location, url),
    };
  }

  function keep(host: string, line: string): void {
    const [pair = "", ...attributes] = line.split(/; */);
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const attribute = (wanted: string): string | undefined =>
      attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const path = attribute("path") ?? "/";
    browser.cookies = browser.cookies.filter(
      (known) => !(known.host === host && known.path === path && known.name === name),
    );
    const expires = attribute("expires");
    const isOver = attribute("max-age") === "0" || (expires !== undefined && Date.parse(expires) < Date.now());
    if (!isOver && value !== "") browser.cookies.push({ host, path, name, value });
  }

  return browser;
}

function isUnder(pathname: string, path: string): boolean {
  return path === "/" || pathname === path || pathname.startsWith(`${path}/`);
}
