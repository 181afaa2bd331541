import { idSchema } from "@svc/contract";
import { z } from "zod";

/** An organization goes by its id or its slug. */
const org = z.string().max(100);

export const orgParams = z.strictObject({ org });
export const memberParams = z.strictObject({ org, member: idSchema("mem") });
export const invitationParams = z.strictObject({ org, invitation: idSchema("inv") });
export const grantParams = z.strictObject({ grant: idSchema("grt") });
export const apiTokenParams = z.strictObject({ token: idSchema("tok") });
export const operatorOrgParams = z.strictObject({ org: idSchema("org") });
export const supportSessionParams = z.strictObject({ org: idSchema("org"), session: idSchema("sup") });
