import { Select, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MODE_WORDS } from '../../../src/shared/currencies'
import { usualMode } from '../../../src/shared/currency-modes'
import { CURRENCY_MODES } from '../../../src/shared/query'
import type { QueryPlan } from '../../../src/shared/query'
import { currenciesQuery } from '../../lib/currency-calls'
import { currencyChoices } from '../../lib/region-choices'
import { useSession } from '../../lib/session'
import type { DraftDataset } from '../../lib/filters/fields'

interface CurrencyEditorProps {
  plan: QueryPlan
  dataset: DraftDataset
  onChange: (currency: NonNullable<QueryPlan['currency']> | null) => void
}
const AS_IS = ''

/** Which currency amounts are shown in, and by which rates; as they are unless chosen. */
export function CurrencyEditor({ plan, dataset, onChange }: CurrencyEditorProps) {
  const { workspace } = useSession()
  const opens = workspace?.entitlements.features.multiCurrency ?? false
  const { data: overview } = useQuery(currenciesQuery())
  const chosen = plan.currency ?? null
  const own = overview?.settings.code ?? workspace?.settings.currency ?? 'EUR'
  const choices = useMemo(() => {
    const all = currencyChoices(own)
    const known = new Set([own, ...(chosen ? [chosen.code] : []), ...(overview?.currencies ?? [])])
    const listed = overview ? all.filter(({ value }) => known.has(value)) : all
    const first = listed.filter(({ value }) => value === own)
    return [{ value: AS_IS, label: 'As they are' }, ...first, ...listed.filter(({ value }) => value !== own)]
  }, [own, chosen, overview])
  const datasets = [dataset, ...(dataset.linked ?? [])]
  const usual = usualMode(plan, datasets, overview?.settings.mode ?? 'automatic')
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
      <Select
        aria-label="Show amounts in"
        data={opens ? choices : choices.filter(({ value }) => value === AS_IS || value === chosen?.code)}
        value={chosen?.code ?? AS_IS}
        allowDeselect={false}
        searchable={opens}
        onChange={(code) => onChange(code === null || code === AS_IS ? null : { code, mode: chosen?.mode ?? usual })}
      />
      {chosen && (
        <Select
          aria-label="Rates"
          data={CURRENCY_MODES.map((value) => ({ value, label: MODE_WORDS[value] }))}
          value={chosen.mode}
          allowDeselect={false}
          disabled={!opens}
          onChange={(text) => {
            const mode = CURRENCY_MODES.find((each) => each === text)
            if (mode) onChange({ ...chosen, mode })
          }}
        />
      )}
      {!opens && !chosen && (
        <Text size="xs" c="dimmed">
          One currency for all amounts comes with the Professional plan.
        </Text>
      )}
    </SimpleGrid>
  )
}
