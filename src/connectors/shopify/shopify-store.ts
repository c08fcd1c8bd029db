import { SourceError, type ConnectorContext } from '../contract'
import { sourceErrorOf } from '../failures'
import type { DoorResponse } from '../../outbound/doors'

export const SHOPIFY = 'Shopify'

/** Where a call of a store goes: the store itself, in local mode the stand-in for all stores. */
export async function callStore(
  context: ConnectorContext,
  call: { path: string; headers: Readonly<Record<string, string>>; body: string },
): Promise<DoorResponse> {
  const { shop = '' } = context.connection.settings
  const { doors, operator } = context
  const sent = { method: 'POST' as const, headers: { accept: 'application/json', ...call.headers }, body: call.body }
  try {
    return operator['standIn'] === undefined
      ? await doors.http({ ...sent, url: `https://${shop}${call.path}` })
      : await doors.operator({ ...sent, origin: 'standIn', path: call.path })
  } catch (error) {
    throw sourceErrorOf(error, SHOPIFY)
  }
}

export const accessRefused = (): SourceError =>
  new SourceError('auth', {
    message: 'Shopify no longer accepts these credentials.',
    mend: 'Enter the app’s credentials again, and check that it is installed in the store.',
  })
