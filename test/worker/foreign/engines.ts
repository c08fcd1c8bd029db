import type { TestEngine } from './tables'
import { MYSQL } from '../../../src/warehouse/pushdown/mysql'
import { POSTGRES } from '../../../src/warehouse/pushdown/postgres'

const plainText = (text: string): string => `'${text.replaceAll(`'`, `''`)}'`

export const PGLITE: TestEngine = {
  name: 'pglite',
  dialect: POSTGRES,
  types: {
    ...{ text: 'text', integer: 'bigint', real: 'double precision', boolean: 'boolean' },
    ...{ date: 'date', wall: 'timestamp(3)', instant: 'timestamptz(3)' },
  },
  decimal: (scale) => `numeric(30, ${scale})`,
  quote: (name) => `"${name}"`,
  literal: (text, { type, zoned }) => {
    if (type === 'boolean' || type === 'integer' || type === 'number') return text
    return type === 'datetime' && zoned === true ? `'${text}+00'` : plainText(text)
  },
}

export const MARIADB: TestEngine = {
  name: 'mariadb',
  dialect: MYSQL,
  types: {
    ...{ text: 'varchar(200)', integer: 'bigint', real: 'double', boolean: 'boolean' },
    ...{ date: 'date', wall: 'datetime(3)', instant: 'datetime(3)' },
  },
  decimal: (scale) => `decimal(30, ${scale})`,
  quote: (name) => `\`${name}\``,
  literal: (text, { type }) => (['boolean', 'integer', 'number'].includes(type) ? text : plainText(text)),
}
