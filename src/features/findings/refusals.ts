import { isTransient, ProductError } from '../../shared/errors'

/** What cannot be answered (a column that is gone, currencies that do not mix) is not looked at; a look that is only held up fails. */
export async function orNullIfRefused<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ProductError && !isTransient(error)) return null
    throw error
  }
}

/** What is asked about several at a time; where that is refused, about each by itself. Null: nothing is known of it. */
export async function askAll<Asked, T>(
  all: readonly Asked[],
  ask: (some: readonly Asked[]) => Promise<(T | null)[]>,
): Promise<(T | null)[]> {
  const answers = await orNullIfRefused(ask(all))
  if (answers || all.length < 2) return answers ?? all.map(() => null)
  const each: (T | null)[] = []
  for (const one of all) each.push(...(await askAll([one], ask)))
  return each
}
