/** The Worker and the client are compiled without the types of Node. */
declare const process: { env: Record<string, string | undefined> }

/**
 * What random tests begin with: one number in the short run, so that a change is judged by itself and not by its luck;
 * a new one in each long run, which looks further, and says it. `HARDENING_SEED` asks for the same again.
 */
export function seedOf(isLong: boolean): number {
  const asked = Number(process.env['HARDENING_SEED'])
  if (!isLong) return asked || 20_261_121
  const seed = asked || (crypto.getRandomValues(new Int32Array(1))[0] ?? 0)
  console.log(`HARDENING_SEED=${seed}`)
  return seed
}
