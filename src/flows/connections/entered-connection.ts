import type { Connection } from '../../connectors/contract'
import type { RegisteredConnector } from '../../connectors/registry'
import { ProductError } from '../../shared/errors'
import type { ConnectorDescription, ConnectorField } from '../../shared/data-sources/connectors'

const VALUE_MAX_CHARS = 2_000

type Values = Readonly<Record<string, string>>

const isShown = ({ when }: ConnectorField, values: Readonly<Record<string, string>>): boolean =>
  when === undefined || values[when.field] === when.is

const originOf = (text: string): string => (URL.canParse(text) ? new URL(text).origin : text)
/** Whether what was entered leads to the server that stored secrets were entered for. */
const isSamePlace = (fields: readonly ConnectorField[], entered: Values, stored: Values): boolean =>
  fields
    .filter(({ isTarget }) => isTarget)
    .every(({ key }) => originOf(entered[key]?.trim() ?? '') === originOf(stored[key] ?? ''))

/** “Client ID” as it stands within a sentence: “client ID”. What is all capitals stays. */
const withinSentence = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)

/** What is wrong with one field; null where nothing is. */
function problemOf(field: ConnectorField, value: string, isStored: boolean): string | null {
  if (value === '') return field.required && !isStored ? `Enter ${withinSentence(field.label)}` : null
  if (value.length > (field.maxLength ?? VALUE_MAX_CHARS)) return 'Too long'
  if (field.control === 'number' && !/^\d{1,9}$/.test(value)) return 'Enter a whole number'
  if (field.options && !field.options.some((option) => option.value === value)) return 'Choose one of the options'
  return null
}

/**
 * What somebody entered, as the form of its kind wants it: settings and secrets apart, nothing that no field names. Secrets
 * that were not entered are the stored ones, as long as they go where they were entered for.
 * @throws ProductError `invalid_input` by field
 */
export function checkEntered(
  registered: RegisteredConnector,
  entered: { settings: Values; secrets: Values },
  stored: Connection = { settings: {}, secrets: {} },
): Connection {
  const { connector } = registered
  const { fields } = connector.describe()
  const kept = isSamePlace(fields, entered.settings, stored.settings) ? stored.secrets : {}
  const problems: Record<string, string> = {}
  const settings: Record<string, string> = {}
  const secrets: Record<string, string> = {}
  for (const field of fields) {
    if (!isShown(field, entered.settings)) continue
    const { [field.key]: given = '' } = field.secret ? entered.secrets : entered.settings
    const value = field.control === 'lines' || field.control === 'sql' || field.secret ? given : given.trim()
    const [own, before] = field.secret ? [kept[field.key], stored.secrets[field.key]] : []
    const isLeftBehind = value === '' && own === undefined && before !== undefined
    const problem = isLeftBehind ? 'Enter it again for this address' : problemOf(field, value, own !== undefined)
    if (problem !== null) problems[field.key] = problem
    else if (value !== '') (field.secret ? secrets : settings)[field.key] = value
    else if (own !== undefined) secrets[field.key] = own
  }
  Object.assign(problems, Object.keys(problems).length === 0 ? (connector.check?.(settings) ?? {}) : {})
  if (Object.keys(problems).length > 0) throw new ProductError('invalid_input', { fields: problems })
  return { settings, secrets: { ...tokensOf(connector.describe(), kept), ...secrets } }
}

/** Secrets that consent gave and no field shows: they stay. */
function tokensOf({ fields }: ConnectorDescription, stored: Values): Values {
  const shown = new Set(fields.map(({ key }) => key))
  return Object.fromEntries(Object.entries(stored).filter(([key]) => !shown.has(key)))
}
