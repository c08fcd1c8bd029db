import { SourceError, type Connector } from '../contract'
import type { ConnectorDescription } from '../../shared/data-sources/connectors'

const DESCRIPTION: ConnectorDescription = {
  kind: 'push',
  title: 'Push API',
  summary: 'Your programs send rows; visible within a second',
  group: 'programs',
  auth: 'none',
  fields: [
    {
      key: 'key',
      label: 'Key fields',
      control: 'text',
      hint: 'Identify a row, separated by commas',
      placeholder: 'id',
      required: true,
      secret: false,
      initial: 'id',
      maxLength: 200,
    },
  ],
  reads: ['Rows that your programs send, as JSON or NDJSON'],
  never: ['Calls your systems', 'Accepts rows without the token'],
  delivery: 'push',
}

/** Names of the fields that tell one row from another. */
export const keyFieldsOf = (settings: Readonly<Record<string, string>>): string[] =>
  (settings['key'] ?? 'id')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const notPulled = (): SourceError =>
  new SourceError('down', { message: 'Programs send to this source.', mend: 'Send rows to its address.' })

/** A source that is asked for nothing: programs send to it. */
export const pushConnector: Connector = {
  describe: () => DESCRIPTION,
  check(settings) {
    const keys = keyFieldsOf(settings)
    return keys.length >= 1 && keys.length <= 10 && new Set(keys).size === keys.length
      ? {}
      : { key: 'Enter one to ten field names' }
  },
  test: () => Promise.resolve({ warnings: [] }),
  discover: () => Promise.resolve([]),
  read: () => Promise.reject(notPulled()),
}
