import type { DatabaseAddress, DatabasePool, Doors, DoorSocket } from './doors'
import { equalText } from '../lib/hash'

/** A pool that the platform keeps (Hyperdrive), with the login that people enter for its database. */
interface KnownPool {
  address: DatabaseAddress
  pool: DatabasePool
}

/** What the platform hands over for a pool, as far as it is used. */
interface PoolBinding {
  connect(): Socket
  user: string
  password: string
  database: string
}
const isPoolBinding = (value: unknown): value is PoolBinding =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'connect') === 'function' &&
  ['user', 'password', 'database'].every((key) => typeof Reflect.get(value, key) === 'string')

const DEFAULT_PORT = 5432

/** `BINDING=postgresql://user:password@host:port/database`; null for what is written otherwise. */
export function parsePoolLogin(entry: string): { binding: string; address: DatabaseAddress } | null {
  const [, binding = '', text = ''] = /^([A-Z][A-Z0-9_]*)=(postgres(?:ql)?:\/\/.+)$/.exec(entry) ?? []
  if (binding === '' || !URL.canParse(text)) return null
  const { hostname, port, pathname, username, password } = new URL(text)
  const [user, secret, database] = [username, password, pathname.slice(1)].map(decoded)
  if (hostname === '' || !user || !secret || !database) return null
  return {
    binding,
    address: {
      host: hostname.toLowerCase(),
      port: port === '' ? DEFAULT_PORT : Number(port),
      database,
      user,
      password: secret,
    },
  }
}
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** The pools that are bound and whose logins are known, as doors ask for them. */
export function databasePools(env: Readonly<Record<string, unknown>>, logins: string | undefined): Doors['pool'] {
  const known = (logins ?? '').split(/\s+/).flatMap((entry): KnownPool[] => {
    const login = parsePoolLogin(entry)
    const bound = login && env[login.binding]
    return login && isPoolBinding(bound) ? [{ address: login.address, pool: poolOf(bound) }] : []
  })
  return (asked) => {
    const found = known.filter(({ address }) => isSameDatabase(address, asked))
    if (found.length === 0) return null
    // Whoever does not know the password is not let in by the pool, which knows it.
    return found.find(({ address }) => equalText(address.password, asked.password))?.pool ?? 'wrong_password'
  }
}

const isSameDatabase = (one: DatabaseAddress, other: DatabaseAddress): boolean =>
  one.host === other.host.trim().toLowerCase() &&
  one.port === other.port &&
  one.database === other.database &&
  one.user === other.user

function poolOf(bound: PoolBinding): DatabasePool {
  const { user, password, database } = bound
  return { connect: () => poolSocket(bound.connect()), signIn: { user, password, database } }
}

function poolSocket(socket: Socket): DoorSocket {
  socket.closed.catch(() => undefined)
  return {
    readable: socket.readable,
    writable: socket.writable,
    startTls: () => poolSocket(socket.startTls()),
    close: () => socket.close().catch(() => undefined),
  }
}
