import type { CalendarContext } from '../../semantic/calendar'
import type { Entitlements } from '../../shared/billing/entitlements'
import type { Role } from '../../shared/permissions'

/** Whose briefing. */
export interface BriefingReader extends CalendarContext {
  role: Role
  entitlements: Entitlements
}
