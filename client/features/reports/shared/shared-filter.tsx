import { MultiSelect } from '../../../ui/forms/multi-select'
import { useQuery } from '@tanstack/react-query'
import type { Scalar } from '../../../../src/shared/query/plan'
import { NO_VALUE } from '../../../../src/shared/figures/cell-formatter'
import { readValues, type LinkKey } from './shared-calls'

interface SharedFilterProps {
  link: LinkKey
  filter: { id: string; label: string }
  /** Null: as the report has it, which is no list of values. */
  values: Scalar[] | null
  onChange: (values: Scalar[]) => void
}

/** A filter that viewers may change: the values that rows may have. */
export function SharedFilter({ link, filter, values, onChange }: SharedFilterProps) {
  const known = useQuery({
    queryKey: ['shared', link.token, link.proof, 'values', filter.id],
    queryFn: ({ signal }) => readValues(link, filter.id, signal),
    staleTime: Infinity,
  })
  const offered = new Map<string, { value: Scalar; label: string }>()
  for (const value of values ?? []) offered.set(JSON.stringify(value), { value, label: String(value ?? NO_VALUE) })
  for (const one of known.data?.values ?? [])
    offered.set(JSON.stringify(one.value), { ...one, label: one.value === null ? NO_VALUE : one.label })
  const chosen = (values ?? []).map((value) => JSON.stringify(value))
  return (
    <MultiSelect
      size="xs"
      aria-label={filter.label}
      placeholder={chosen.length > 0 ? '' : values === null ? `${filter.label}: custom` : `${filter.label}: all`}
      data={[...offered].map(([value, { label }]) => ({ value, label }))}
      value={chosen}
      onChange={(keys) => onChange(keys.flatMap((key) => offered.get(key) ?? []).map(({ value }) => value))}
      searchable
      clearable
      nothingFoundMessage={known.isPending ? 'Loading' : 'No values match'}
      maw="100%"
      miw={200}
    />
  )
}
