import { DoorError } from './doors'
import { isAddress, isPublicAddress } from './ip-ranges'

/** What of the installation decides about targets. */
export interface TargetRules {
  /** Hosts that are ourselves. */
  ownHosts: readonly string[]
  /** Exact `host:port` that are let through unchecked: in local mode and tests only. */
  allowed: ReadonlySet<string>
}

/** A target that may be called once its name is resolved. */
export interface CheckedTarget {
  host: string
  port: number
  /** On the list of tests: nothing more is asked. */
  isAllowed: boolean
}

/** What an installation's settings say about targets. */
export function targetRulesOf(settings: {
  BASE_URL: string
  LOCAL_MODE: boolean
  TEST_ALLOWED_TARGETS: string
}): TargetRules {
  const allowed = settings.LOCAL_MODE ? parseAllowedTargets(settings.TEST_ALLOWED_TARGETS) : new Set<string>()
  return { ownHosts: [new URL(settings.BASE_URL).hostname], allowed }
}

const URL_MAX_CHARS = 2_048
const HTTPS_PORTS = new Set([443, 4443, 8443, 9443])
/** Servers behind these ports answer to anybody who reaches them. */
const DENIED_PORTS = new Set([1080, 2049, 2375, 2376, 2379, 2380, 3128, 4369, 5672, 5984, 5985, 6000, 6379, 6443, 8125])
const MORE_DENIED_PORTS = new Set([8500, 9092, 9100, 9200, 9300, 10_250, 10_255, 11_211, 15_672, 27_017, 50_000])
const PRIVILEGED_PORT_MAX = 1023
const PRIVATE_NAMES =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|invalid|test|example|onion|cluster)$/
/** Our own code answers there under another name. */
const ALIASES = /(^|\.)(workers\.dev|pages\.dev|cloudflareworkers\.com)$/
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
const UNCLEAN = /[\s\\\u0000-\u001f\u007f]/

const refusal = (): DoorError => new DoorError('not_allowed')

/** Names and addresses that are wrong whatever they resolve to. @throws DoorError `not_allowed` */
function assertHost(host: string, rules: TargetRules): void {
  if (isAddress(host)) {
    if (!isPublicAddress(host)) throw refusal()
    return
  }
  const labels = host.split('.')
  // A point at the end names the same server past every list of names.
  if (labels.length < 2 || host.length > 253 || labels.some((label) => !LABEL.test(label))) throw refusal()
  if (/^\d+$/.test(labels.at(-1) ?? '')) throw refusal()
  if (PRIVATE_NAMES.test(host) || ALIASES.test(host)) throw refusal()
  if (rules.ownHosts.some((own) => host === own || host.endsWith(`.${own}`))) throw refusal()
}

/** An address that somebody entered, or that a redirect leads to. @throws DoorError `not_allowed` */
export function checkUrl(text: string, rules: TargetRules): { url: URL; target: CheckedTarget } {
  if (text.length > URL_MAX_CHARS || UNCLEAN.test(text) || !URL.canParse(text)) throw refusal()
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw refusal()
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const host = url.hostname.toLowerCase()
  const isAllowed = rules.allowed.has(`${host}:${port}`)
  if (isAllowed && (url.protocol === 'https:' || url.protocol === 'http:'))
    return { url, target: { host, port, isAllowed } }
  if (url.protocol !== 'https:' || !HTTPS_PORTS.has(port)) throw refusal()
  if (decodeURIComponentSafely(url.pathname).toLowerCase().startsWith('/cdn-cgi')) throw refusal()
  assertHost(host, rules)
  return { url, target: { host, port, isAllowed: false } }
}

function decodeURIComponentSafely(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A server that speaks no HTTP. @throws DoorError `not_allowed` */
export function checkServer(given: { host: string; port: number }, rules: TargetRules): CheckedTarget {
  const { port } = given
  if (UNCLEAN.test(given.host) || /[/?#@%]/.test(given.host) || !Number.isInteger(port)) throw refusal()
  const inBrackets = given.host.includes(':') && !given.host.startsWith('[') ? `[${given.host}]` : given.host
  if (!URL.canParse(`https://${inBrackets}/`)) throw refusal()
  // Spelled as the resolver will: decimal, octal and full-width addresses become plain ones.
  const host = new URL(`https://${inBrackets}/`).hostname
  if (rules.allowed.has(`${host}:${port}`)) return { host, port, isAllowed: true }
  if (port <= PRIVILEGED_PORT_MAX && port !== 443) throw refusal()
  if (port > 65_535 || DENIED_PORTS.has(port) || MORE_DENIED_PORTS.has(port)) throw refusal()
  assertHost(host, rules)
  return { host, port, isAllowed: false }
}

/** `host:port` of a list, separated by commas. */
export const parseAllowedTargets = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== ''),
  )
