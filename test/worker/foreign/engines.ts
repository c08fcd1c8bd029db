import type { TestEngine } from './tables'
import { formValue } from '../../../src/connectors/clickhouse/clickhouse-client'
import { CLICKHOUSE } from '../../../src/warehouse/pushdown/clickhouse'
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

export const CHDB: TestEngine = {
  name: 'clickhouse',
  dialect: CLICKHOUSE,
  types: {
    ...{ text: 'Nullable(String)', integer: 'Nullable(Int64)', real: 'Nullable(Float64)', boolean: 'Nullable(Bool)' },
    ...{ date: 'Nullable(Date32)', wall: `Nullable(DateTime64(3, 'UTC'))`, instant: `Nullable(DateTime64(3, 'UTC'))` },
  },
  decimal: (scale) => `Nullable(Decimal(30, ${scale}))`,
  quote: (name) => `\`${name}\``,
  literal: (text, { type }) => (['boolean', 'integer', 'number'].includes(type) ? text : plainText(text)),
  sent: formValue,
  definition: (columns) =>
    `(row_no Int64, ${columns.map((each) => each.replace(/ NULL$/, '')).join(', ')}) ENGINE = Memory`,
}
