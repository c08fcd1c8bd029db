import { AUDITED_FIELDS, type AuditChange, type AuditDetails, type AuditedField } from '../shared/audit'

const VALUE_MAX_CHARS = 120
/** Who these are about is read with the line, so that nobody's name outlives their account in the log. */
const ABOUT_PEOPLE: readonly string[] = ['user', 'member', 'invite']

const FIELDS = Object.keys(AUDITED_FIELDS).filter((field): field is AuditedField => field in AUDITED_FIELDS)

const toText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, VALUE_MAX_CHARS) : null
const valueOf = (state: unknown, field: AuditedField): string | null => {
  if (field === 'value') return typeof state === 'string' ? toText(state) : null
  if (typeof state !== 'object' || state === null) return null
  return toText(new Map<string, unknown>(Object.entries(state)).get(field))
}

/** Of somebody new, only what they may do is said. */
const isTold = (field: AuditedField, from: string | null): boolean => from !== null || field === 'role'

/**
 * What a line of the audit log says beside its action, as JSON; null = nothing. Names of things and values that are words;
 * never rows, texts or addresses.
 */
export function auditDetails(of: { entity: string; before?: unknown; after?: unknown }): string | null {
  const { entity, before, after } = of
  const isPersonal = ABOUT_PEOPLE.includes(entity)
  const changes = FIELDS.flatMap((field): AuditChange[] => {
    const [from, to] = [valueOf(before, field), valueOf(after, field)]
    if (to === null || to === from || !isTold(field, from) || (isPersonal && field === 'name')) return []
    return [{ field, from, to }]
  })
  const name = isPersonal || entity === 'workspace' ? null : (valueOf(after, 'name') ?? valueOf(before, 'name'))
  const details: AuditDetails = { ...(name === null ? {} : { name }), ...(changes.length === 0 ? {} : { changes }) }
  return Object.keys(details).length === 0 ? null : JSON.stringify(details)
}
