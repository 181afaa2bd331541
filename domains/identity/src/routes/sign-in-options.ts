import type { Id } from "@svc/contract";
import { z } from "zod";
import type { IdentityContext, Origin } from "../context.ts";
import { findRedirectTarget, LONGEST_REDIRECT } from "../sign-in/redirect-target.ts";
import { SignInRefused } from "../sign-in/refusal.ts";
import type { SignInSettings } from "../sign-in/settings.ts";
import { type Cookies, createCookies } from "./cookies.ts";

export interface SignInOptions {
  context: IdentityContext;
  settings: SignInSettings;
  /** For a person who is in no organization and makes one. */
  createOrgFor(userId: Id<"usr">, name: string, origin: Origin): Promise<unknown>;
}

/** What the routes of signing in share. */
export interface SignIn extends SignInOptions {
  cookies: Cookies;
  /** Where a person goes afterwards; refuses a place that is not ours. */
  targetOf(redirectTo: string | undefined): URL;
}

export const redirectToSchema = z.string().max(LONGEST_REDIRECT).optional();

export function shareSignIn(options: SignInOptions): SignIn {
  const { baseUrl, allowedOrigins } = options.settings;
  return {
    ...options,
    cookies: createCookies(baseUrl),
    targetOf: (redirectTo) => {
      const target = findRedirectTarget(redirectTo ?? baseUrl, allowedOrigins);
      if (!target) throw new SignInRefused("redirect-not-allowed", "redirect_to is not on the list");
      return target;
    },
  };
}
