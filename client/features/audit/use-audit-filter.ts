import { useNavigate, useSearch } from '@tanstack/react-router'
import type { AuditFilter } from './queries'

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/
const parseDay = (text: string | undefined): string | undefined =>
  text !== undefined && DAY_PATTERN.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

/** What the address asks for; days that are none are left out. */
export function useAuditFilter() {
  const { actor, action, entity, from, to } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [first, last] = [parseDay(from), parseDay(to)]
  const filter: AuditFilter = {
    ...(actor ? { actor } : {}),
    ...(action ? { action } : {}),
    ...(entity ? { entityId: entity } : {}),
    ...(first ? { from: first } : {}),
    ...(last ? { to: last } : {}),
  }
  const setFilter = ({ entityId, ...rest }: AuditFilter): void => {
    const search = { ...rest, ...(entityId === undefined ? {} : { entity: entityId }) }
    void navigate({ to: '/settings/workspace/audit', search, replace: true })
  }
  return { filter, setFilter, isFiltered: Object.keys(filter).length > 0 }
}
