import type { TargetRules } from '../../src/outbound/target-rules'

/** An installation that is reached at one host, and lets nobody through unchecked. */
export const RULES: TargetRules = { ownHosts: ['insikt.example.org'], allowed: new Set() }
const PRIVATE_V4 = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '192.0.0.1',
]
const octets = (address: string): number[] => address.split('.').map(Number)
const spellings = (address: string): string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = octets(address)
  const number = ((a * 256 + b) * 256 + c) * 256 + d
  const [high, low] = [a * 256 + b, c * 256 + d].map((part) => part.toString(16))
  return [
    address,
    String(number),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    octets(address)
      .map((part) => `0x${part.toString(16)}`)
      .join('.'),
    octets(address)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(Number(digit) + 0xff10)),
    `${address}.`,
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
  ]
}
/** Hosts that lead inside, to ourselves or nowhere, in every spelling. */
export const FORBIDDEN_HOSTS = [
  ...PRIVATE_V4.flatMap(spellings),
  ...[
    '[::]',
    '[::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[2001::1]',
    '[100::1]',
  ],
  ...[
    'localhost',
    'localhost.',
    'a.localhost',
    'printer',
    'db.internal',
    'x.local',
    'host.lan',
    'metadata.google.internal',
  ],
  ...[
    'insikt.example.org',
    'a.insikt.example.org',
    'insikt.someone.workers.dev',
    'x.pages.dev',
    'xn--lcalhost-p4a',
    'a..b.com',
  ],
]
/** Addresses of those, and others that nobody may be called at. */
export const FORBIDDEN_URLS = [
  ...FORBIDDEN_HOSTS.flatMap((host) => [`https://${host}/`, `https://${host}/x?y=1`]),
  ...[
    'file:///etc/passwd',
    'data:text/plain,x',
    'ftp://a.com/',
    'gopher://a.com/',
    'blob:https://a.com/1',
    'ws://a.com/',
    'HTTP://a.com/',
    'javascript:1',
  ],
  ...[
    'https://a.com:22/',
    'https://a.com:25/',
    'https://a.com:6379/',
    'https://a.com:0/',
    'https://user:pass@a.com/',
    'https://a.com@127.0.0.1/',
  ],
  ...[
    'https://a.com/cdn-cgi/trace',
    'https://a.com/%63dn-cgi/trace',
    'https:\\\\127.0.0.1\\',
    'https://a.com/ x',
    ' https://a.com/',
    '',
  ],
]
