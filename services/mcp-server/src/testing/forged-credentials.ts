import type { HostileMessage } from "./hostile-messages.ts";
import { seededRandom } from "./seeded-random.ts";

/** Not +, / and =, which some read for - and _ and for nothing: the same token, then. */
const CHARACTERS = "ABCXYZabcxyz0189.~!:;,@%&*()[]{}<>?|^`".split("");

/** What is left of a good token after something was done to it. */
export function* forgedCredentials(seed: number, count: number, token: string): Generator<HostileMessage> {
  const random = seededRandom(seed);
  for (let n = 0; n < count; n += 1) {
    const at = random.below(token.length);
    const other = random.pick(CHARACTERS);
    const forged = random.pick([
      token.slice(0, at),
      // The last character of a signature holds two bits that mean nothing.
      at < token.length - 1 && token[at] !== other ? token.slice(0, at) + other + token.slice(at + 1) : "x",
      token + other,
      token.slice(0, at).repeat(1 + random.below(20)),
      `${other}.${other}.${other}`,
      token.split(".").toReversed().join("."),
    ]);
    yield { method: "POST", headers: { authorization: `Bearer ${forged}` }, body: "{}" };
  }
}
