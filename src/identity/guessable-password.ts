import { ProductError } from '../shared/errors'

/** What is known of a person to whoever guesses: their name, address and workspaces, and the product's own name. */
export interface PasswordContext {
  appName: string
  name: string
  email: string | null
  workspaces: readonly string[]
}

/**
 * The ten thousand most used passwords and every longer one of a public list: `@zxcvbn-ts/language-common` 3.0.4, MIT,
 * © 2012–2016 Dan Wheeler and Dropbox, © 2021 zxcvbn-ts. Sorted; each line begins with how many characters (in base 36) it
 * shares with the one before.
 */
async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { default: text } = await import('./common-passwords.txt?raw')
  const passwords = new Set<string>()
  let previous = ''
  for (const line of text.trimEnd().split('\n')) {
    previous = previous.slice(0, Number.parseInt(line.charAt(0), 36)) + line.slice(1)
    passwords.add(previous)
  }
  return passwords
}

let loading: Promise<ReadonlySet<string>> | undefined
const commonPasswords = (): Promise<ReadonlySet<string>> => (loading ??= readCommonPasswords())

const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const withoutLookalikes = (text: string): string => text.replaceAll(/[013457@$!]/g, (sign) => LOOKALIKES[sign] ?? sign)

/** What is left without the years and exclamation marks around it. */
const trimPadding = (text: string): string => text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** The word that the text is made of, said once: "passwordpassword" is "password". */
function unrepeated(text: string): string {
  const at = (text + text).indexOf(text, 1)
  return at > 0 && at < text.length ? text.slice(0, at) : text
}

const DISTINCT_MIN = 5
/** Whether each character follows the one before by the same step: "abcdefghijkl", "987654321098". */
function isRun(text: string): boolean {
  const codes = Array.from(text, (sign) => sign.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)))
  return (
    steps.size <= 1 || (/^\d+$/.test(text) && [...steps].every((step) => Math.abs(step) === 1 || Math.abs(step) === 9))
  )
}

/** Every form in which a common password may be hidden here. */
const disguises = (password: string): string[] => {
  const forms = [password, trimPadding(password)]
  return [...forms, ...forms.map(withoutLookalikes)].flatMap((form) => [form, unrepeated(form)])
}

async function isCommon(password: string): Promise<boolean> {
  const lower = password.toLowerCase()
  if (new Set(lower).size < DISTINCT_MIN || isRun(lower)) return true
  const common = await commonPasswords()
  return disguises(lower).some((form) => common.has(form))
}

const WORD_MIN_CHARS = 3
/** So many letters of its own make a password more than a name with a year. */
const OWN_LETTERS_MIN = 5

const wordsOf = ({ appName, name, email, workspaces }: PasswordContext): string[] =>
  [appName, name, email?.replace(/\.[^.]*$/, '') ?? '', ...workspaces]
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= WORD_MIN_CHARS)
    .toSorted((a, b) => b.length - a.length)

/** Whether hardly anything is left of it without the names that belong to the person. */
function isPersonal(password: string, about: PasswordContext): boolean {
  const words = wordsOf(about)
  return [password.toLowerCase(), withoutLookalikes(password.toLowerCase())].some((form) => {
    const rest = words.reduce((text, word) => text.replaceAll(word, ' '), form)
    return rest !== form && rest.replaceAll(/[^\p{L}]/gu, '').length < OWN_LETTERS_MIN
  })
}

/**
 * Refuses a password that is among the first to be tried: a common one, also with years, signs and lookalikes around or in
 * it, and one made of the person's own names.
 * @throws ProductError `invalid_input` with what to do, for `field`
 */
export async function assertUnguessable(
  password: string,
  { about, field }: { about: PasswordContext; field: string },
): Promise<void> {
  const problem = isPersonal(password, about)
    ? 'Don’t use your name, email or company. Try a sentence.'
    : (await isCommon(password))
      ? 'Too common. Try a sentence.'
      : null
  if (problem !== null) throw new ProductError('invalid_input', { fields: { [field]: problem } })
}
