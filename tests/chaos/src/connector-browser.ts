/** Where a browser has come to. */
interface Page {
  url: URL;
  status: number;
  text: string;
  headers: Headers;
  /** Where it was about to be sent when it was told to stop. */
  onward: URL | undefined;
}

/** As much of a browser as it takes to sign in and to allow an agent. Of one person, for a while: cookies by name. */
export interface Browser {
  /** Follows redirects until a page comes, or one leads to `stopAt`. */
  open(address: string | URL, stopAt?: string): Promise<Page>;
  sendForm(address: URL, form: Record<string, string>): Promise<Page>;
}

const MOST_REDIRECTS = 20;

export function openBrowser(): Browser {
  const cookies = new Map<string, string>();

  const load = async (url: URL, form?: Record<string, string>): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { accept: "text/html", cookie, ...(form && { origin: url.origin }) },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) keep(line);
    const location = response.headers.get("location");
    return {
      url,
      status: response.status,
      text: await response.text(),
      headers: response.headers,
      onward: location === null ? undefined : new URL(location, url),
    };
  };

  const keep = (line: string): void => {
    const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  };

  const follow = async (from: Page, stopAt?: string): Promise<Page> => {
    const isThere = (onward: URL): boolean => stopAt !== undefined && onward.href.startsWith(stopAt);
    let page = from;
    for (let hop = 0; page.onward && !isThere(page.onward); hop += 1) {
      if (hop === MOST_REDIRECTS) throw new Error(`redirected without end: ${page.onward.href}`);
      page = await load(page.onward);
    }
    return page;
  };

  return {
    open: async (address, stopAt) => follow(await load(new URL(address)), stopAt),
    sendForm: async (address, form) => follow(await load(address, form)),
  };
}
