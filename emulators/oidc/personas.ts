/** Somebody who can be chosen at the stand-in, and what the id token then says of them. */
export interface Persona {
  id: string
  provider: 'google' | 'microsoft'
  /** On the button. */
  label: string
  claims: Record<string, unknown>
  /** The address is typed on the page: with another address it is another person. */
  typesAddress?: boolean
}

/** Tenants of the Microsoft-like issuer. */
export const TENANTS = {
  alfa: '11111111-aaaa-4aaa-8aaa-000000000001',
  beta: '22222222-bbbb-4bbb-8bbb-000000000002',
  gamma: '33333333-cccc-4ccc-8ccc-000000000003',
} as const

export const PERSONAS: readonly Persona[] = [
  {
    id: 'anna',
    provider: 'google',
    label: 'Anna Lind, anna.lind@example.com',
    claims: { sub: '100000000000000000001', name: 'Anna Lind', email: 'anna.lind@example.com', email_verified: true },
  },
  {
    id: 'erik',
    provider: 'google',
    label: 'Erik Holm',
    claims: { name: 'Erik Holm', email_verified: true },
    typesAddress: true,
  },
  {
    id: 'unproven',
    provider: 'google',
    label: 'Ulla Berg, with an address that is not verified',
    claims: { sub: '100000000000000000003', name: 'Ulla Berg', email: 'ulla@example.com', email_verified: false },
  },
  {
    id: 'lo-alfa',
    provider: 'microsoft',
    label: 'Lo Ek at Alfa, lo@consult.example, not verified',
    claims: { sub: 'lo-pairwise', oid: 'lo-of-alfa', tid: TENANTS.alfa, name: 'Lo Ek', email: 'lo@consult.example' },
  },
  {
    id: 'lo-beta',
    provider: 'microsoft',
    label: 'Lo Ek at Beta, lo@consult.example, not verified',
    claims: { sub: 'lo-pairwise', oid: 'lo-of-beta', tid: TENANTS.beta, name: 'Lo Ek', email: 'lo@consult.example' },
  },
  {
    id: 'mia',
    provider: 'microsoft',
    label: 'Mia Dahl at Gamma, mia@gamma.example, domain verified',
    claims: {
      ...{ sub: 'mia-pairwise', oid: 'mia-of-gamma', tid: TENANTS.gamma, name: 'Mia Dahl' },
      ...{ email: 'mia@gamma.example', xms_edov: true },
    },
  },
]

/** Ways in which an answer of the stand-in can be wrong; `&fault=` of the authorize address. */
export const FAULTS = ['nonce', 'iss', 'tid', 'aud', 'expired', 'alg-none', 'down'] as const
export type Fault = (typeof FAULTS)[number]
