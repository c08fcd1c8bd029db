import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'

/**
 * The bot is measured with foreign questions. What it reads must come from the tables and from plain language, never from
 * those questions: their distinctive words may not stand in it. Distinctive is what stands nowhere else in the project.
 */
const ROOT = resolve(import.meta.dirname, '..')
const FOREIGN = resolve(ROOT, '../shared/data/nlq')
const ENGINE = ['src/features/bot', 'src/shared/bot']
/** Dictionaries of plain language: abbreviations, states, words of asking. They hold what anybody may say of anything. */
const LANGUAGE = 'src/features/bot/model/language'
const ELSEWHERE = ['src', 'client', 'docs', 'test', 'README.md', 'CONTRIBUTING.md']
const TEXTS = new Set(['.ts', '.tsx', '.md', '.json', '.csv'])

const questionsSchema = z.object({
  items: z.array(z.object({ db: z.string(), question: z.string(), given_definitions: z.string().nullish() })),
})

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return []
  if (extname(path) !== '') return [path]
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && TEXTS.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
}
/** Words of three letters or more, of names written in one as well: `firstName`, `first_name`. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}{3,}/gu) ?? []
const wordsIn = (paths: readonly string[]): Set<string> =>
  new Set(paths.flatMap((path) => wordsOf(readFileSync(path, 'utf8'))))

it.skipIf(!existsSync(FOREIGN))(
  'keys nothing in the bot to a foreign question (skipped where the questions are not at hand)',
  () => {
    const { items } = questionsSchema.parse(JSON.parse(readFileSync(join(FOREIGN, 'questions.json'), 'utf8')))
    const asked = items.flatMap(({ db, question, given_definitions: given }) =>
      wordsOf(`${db} ${question} ${given ?? ''}`),
    )
    // A verb's form says what was done, never to what: "located", "showing" belong to every question.
    const things = asked.filter((word) => !/(?:ed|ing)$/.test(word))
    const foreign = new Set([...things, ...wordsIn(filesUnder(join(FOREIGN, 'tables')))])
    const engine = ENGINE.map((path) => join(ROOT, path))
    const isEngine = (path: string): boolean =>
      engine.some((folder) => path.startsWith(folder)) && !path.startsWith(join(ROOT, LANGUAGE))
    const plain = wordsIn(ELSEWHERE.flatMap((path) => filesUnder(join(ROOT, path))).filter((path) => !isEngine(path)))
    const distinctive = [...foreign].filter((word) => !plain.has(word))
    expect(distinctive.length).toBeGreaterThan(100)
    const own = wordsIn(engine.flatMap(filesUnder))
    expect(distinctive.filter((word) => own.has(word))).toEqual([])
  },
)
