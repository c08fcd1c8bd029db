import type { AppContext } from './context'
import { sha256Hex } from '../lib/hash'
import { BOT_QUESTIONS_A_MINUTE } from '../shared/bot/conversations'
import { ProductError } from '../shared/errors'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How often what may be tried, by the person named or by the network address. */
export const RATE_LIMITS = {
  wrongPasswordOfAccount: { by: 'text', max: 10, windowMs: 15 * MINUTE_MS },
  wrongPasswordFromAddress: { by: 'address', max: 50, windowMs: 15 * MINUTE_MS },
  /** Mails that anybody can have sent to somebody: links to a new password or into an account. */
  mailToAddress: { by: 'text', max: 5, windowMs: HOUR_MS },
  mailsFromAddress: { by: 'address', max: 30, windowMs: HOUR_MS },
  /** Changes of one's own address, each two mails. */
  changeEmail: { by: 'text', max: 10, windowMs: HOUR_MS },
  /** Everything about a person, put together. */
  exportAccount: { by: 'text', max: 20, windowMs: HOUR_MS },
  /** Everything in a workspace, rows and files. */
  exportWorkspace: { by: 'text', max: 10, windowMs: HOUR_MS },
  /** The whole log of a workspace. */
  exportAudit: { by: 'text', max: 20, windowMs: HOUR_MS },
  /** All figures of an insight, of a person. */
  exportInsight: { by: 'text', max: 120, windowMs: HOUR_MS },
  /** Tables to take along, of a person. */
  exportAnswer: { by: 'text', max: 120, windowMs: HOUR_MS },
  /** Links to reports that a person makes. */
  shareReport: { by: 'text', max: 120, windowMs: HOUR_MS },
  /** What people outside ask by links: each page of figures is one. */
  sharedFromAddress: { by: 'address', max: 1_200, windowMs: 15 * MINUTE_MS },
  /** Links that are none, or none any more. */
  unknownLinkFromAddress: { by: 'address', max: 60, windowMs: 15 * MINUTE_MS },
  wrongPasscodeFromAddress: { by: 'address', max: 30, windowMs: 15 * MINUTE_MS },
  wrongPasscodeOfLink: { by: 'text', max: 10, windowMs: 15 * MINUTE_MS },
  /** Papers by one link: each asks every question of its report. */
  sharedDocument: { by: 'text', max: 60, windowMs: HOUR_MS },
  /** Editions of reports that a person publishes: each asks every question of its report. */
  publishEdition: { by: 'text', max: 60, windowMs: HOUR_MS },
  /** Tests of schedules that a person sends themselves: each makes a report. */
  testSchedule: { by: 'text', max: 30, windowMs: HOUR_MS },
  /** Forecasts to take along, of a person. */
  exportForecast: { by: 'text', max: 120, windowMs: HOUR_MS },
  /** Figures that a forecast would be made from, of a person: some questions each. */
  previewForecast: { by: 'text', max: 1200, windowMs: HOUR_MS },
  /** Forecasts computed on demand, of a workspace. */
  runForecast: { by: 'text', max: 300, windowMs: HOUR_MS },
  /** Notes and comments of a person; each may send mails to those it names. */
  writeNote: { by: 'text', max: 120, windowMs: HOUR_MS },
  /** Questions in words, of a person: fair use of the bot. */
  askBot: { by: 'text', max: BOT_QUESTIONS_A_MINUTE, windowMs: MINUTE_MS },
  /** Alerts that a person saves or lets speak again: each is looked at anew, and may send mails to all who are to hear of it. */
  saveAlert: { by: 'text', max: 240, windowMs: HOUR_MS },
  /** Alerts tried on the past before they are made, of a person: some questions each. */
  testAlert: { by: 'text', max: 240, windowMs: HOUR_MS },
  /** What accounts for a change, of a person: a question for each split. */
  askDrivers: { by: 'text', max: 1200, windowMs: HOUR_MS },
  /** Values of a column compared with each other, of a person: some tenths of a second each, in the isolate that all share. */
  suggestGroups: { by: 'text', max: 240, windowMs: HOUR_MS },
  /** Figures looked through on demand, of a workspace: each asks some hundred questions. */
  refreshFindings: { by: 'text', max: 30, windowMs: HOUR_MS },
  /** Servers of others that a person has us call, to try or to change a connection. */
  askSource: { by: 'text', max: 240, windowMs: HOUR_MS },
  /** Tokens of such sources that are wrong. */
  refusedPushFromAddress: { by: 'address', max: 60, windowMs: 15 * MINUTE_MS },
  /** Links of mails that are opened: each may cost a hash. */
  linkFromAddress: { by: 'address', max: 60, windowMs: 15 * MINUTE_MS },
  /** Tokens that the service which tells people from programs refused: it is asked for each. */
  refusedCheckFromAddress: { by: 'address', max: 60, windowMs: 15 * MINUTE_MS },
  registerFromAddress: { by: 'address', max: 20, windowMs: HOUR_MS },
  /** Each start of a sign-in with a provider asks the provider. */
  oauthFromAddress: { by: 'address', max: 60, windowMs: 15 * MINUTE_MS },
  /** Each return from a provider with a start of ours asks the provider too. */
  oauthReturnFromAddress: { by: 'address', max: 60, windowMs: 15 * MINUTE_MS },
  reportFromAddress: { by: 'address', max: 300, windowMs: MINUTE_MS },
  /** Files announced, and files taken apart, of a person in all their workspaces. */
  createUpload: { by: 'text', max: 300, windowMs: HOUR_MS },
  openUpload: { by: 'text', max: 600, windowMs: HOUR_MS },
  /** Files looked into, anew with each correction, of a person. */
  inspectUpload: { by: 'text', max: 3_000, windowMs: HOUR_MS },
  /** A whole company is made up, loaded and taken away again. */
  addSample: { by: 'text', max: 20, windowMs: HOUR_MS },
  /** Every workspace begins with a trial and an object of its own. */
  createWorkspace: { by: 'text', max: 30, windowMs: HOUR_MS },
  /** A picture of a person or a workspace: each is stored anew. */
  changePicture: { by: 'text', max: 60, windowMs: HOUR_MS },
  /** A new password of one's own, each with a mail to an address that may be unproven. */
  changePassword: { by: 'text', max: 10, windowMs: HOUR_MS },
  /** Tokens that a person makes and apps that they connect, each with a mail. */
  createAccessToken: { by: 'text', max: 30, windowMs: HOUR_MS },
  /** Requests of apps that a person looks at. */
  connectApp: { by: 'text', max: 120, windowMs: HOUR_MS },
  /** Apps that announce themselves: each is a row. */
  registerClientFromAddress: { by: 'address', max: 30, windowMs: HOUR_MS },
  revokeTokenFromAddress: { by: 'address', max: 120, windowMs: 15 * MINUTE_MS },
  /** What programs ask in a member's name, of the member in one workspace. */
  mcpCall: { by: 'text', max: 120, windowMs: MINUTE_MS },
  /** Access tokens that are none, or none any more. */
  unknownTokenFromAddress: { by: 'address', max: 60, windowMs: 15 * MINUTE_MS },
  /** Mails of invitations, resent ones too: of a workspace, of a person in all of theirs, and to one address from all. */
  inviteOfWorkspace: { by: 'text', max: 300, windowMs: HOUR_MS },
  inviteOfPerson: { by: 'text', max: 300, windowMs: HOUR_MS },
  inviteToAddress: { by: 'text', max: 20, windowMs: HOUR_MS },
  /** Links of mails whose pages are opened; nothing is used up. */
  checkLinkFromAddress: { by: 'address', max: 100, windowMs: 15 * MINUTE_MS },
  lookAtInviteFromAddress: { by: 'address', max: 100, windowMs: 15 * MINUTE_MS },
  /** Events of billing whose signature is wrong: each costs a digest of its body. */
  webhookFromAddress: { by: 'address', max: 300, windowMs: MINUTE_MS },
  /** Every page that is opened or comes back into the foreground opens a socket. */
  openSocket: { by: 'text', max: 600, windowMs: 15 * MINUTE_MS },
  /** Questions to billing that a page asks by itself, of a workspace. */
  askBilling: { by: 'text', max: 600, windowMs: HOUR_MS },
  acceptInvite: { by: 'text', max: 60, windowMs: HOUR_MS },
  /** What a workspace may ask of billing: pages to pay on, sums before a change, changes; and questions to a person. */
  openCheckout: { by: 'text', max: 60, windowMs: HOUR_MS },
  openPortal: { by: 'text', max: 60, windowMs: HOUR_MS },
  previewChange: { by: 'text', max: 600, windowMs: HOUR_MS },
  changeSubscription: { by: 'text', max: 120, windowMs: HOUR_MS },
  askForPlan: { by: 'text', max: 5, windowMs: HOUR_MS },
} as const satisfies Record<string, { by: 'text' | 'address'; max: number; windowMs: number }>
export type RateLimitName = keyof typeof RATE_LIMITS

/** On a person's own machine everybody is one address: demos and browser tests share it. */
const LOCAL_FACTOR = 100
const LOOPBACK = new Set(['', '127.0.0.1', '::1'])

export interface RateLimitedAttempt {
  rate: RateLimitName
  /** What is counted; for rates by address it is the address itself. */
  key?: string
  /** How many at once; all or none are taken. One unless said. */
  count?: number
}

/**
 * Takes one try of every rate named. Throws when one has none left.
 * @returns a function that gives them back, for tries that were no failure.
 * @throws ProductError `rate_limited` with `retryAfter` in seconds.
 */
export async function enforceRateLimits(c: AppContext, tries: RateLimitedAttempt[]): Promise<() => Promise<void>> {
  const { rateLimiter, clock } = c.get('deps')
  const taken = await Promise.all(
    tries.map(async ({ rate, key, count = 1 }) => {
      const { by, max, windowMs } = RATE_LIMITS[rate]
      const subject = by === 'address' ? networkOf(addressOf(c)) : (key ?? '')
      const object = rateLimiter.getByName(await sha256Hex(`${rate} ${subject}`))
      const allowed = by === 'address' && isLocal(c) ? max * LOCAL_FACTOR : max
      return { object, count, ...(await object.take(clock.now(), allowed, windowMs, count)) }
    }),
  )
  const giveBack = async () => {
    await Promise.all(
      taken.filter((one) => one.retryAfterMs === null).map(({ object, count }) => object.release(count)),
    )
  }
  const waits = taken.flatMap(({ retryAfterMs }) => (retryAfterMs === null ? [] : [retryAfterMs]))
  if (waits.length === 0) return giveBack
  await giveBack()
  throw new ProductError('rate_limited', { retryAfter: Math.ceil(Math.max(...waits) / 1000) })
}

/** The platform's own header only: every other one can be written by the caller. */
const addressOf = (c: AppContext): string => c.req.header('cf-connecting-ip') ?? ''

const isLocal = (c: AppContext): boolean => c.get('deps').settings.LOCAL_MODE && LOOPBACK.has(addressOf(c))

/** One IPv6 subscriber owns a whole /64, so that is what is counted. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
