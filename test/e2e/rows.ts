import { inject } from 'vitest'

/** Writes rows into the database of the server that journeys share: all statements or none. */
export async function writeRows(...statements: string[]): Promise<void> {
  const answer = await fetch(inject('writer'), { method: 'POST', body: JSON.stringify(statements) })
  if (!answer.ok) throw new Error(await answer.text())
}
