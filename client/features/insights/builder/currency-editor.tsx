import { Select, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { CURRENCY_MODE_LABELS, defaultCurrencyMode } from '../../../../src/shared/currencies'
import { CURRENCY_MODES } from '../../../../src/shared/query/currency-modes'
import { type QueryPlan } from '../../../../src/shared/query/plan'
import { currenciesQuery } from '../../../lib/queries/currency-queries'
import { currencyNameOptions } from '../../../lib/regions'
import { useSession } from '../../../lib/session'
import type { BuilderDataset } from '../../../lib/query-builder/catalogue'
import { MutedText } from '../../../ui/muted-text'

interface CurrencyEditorProps {
  plan: QueryPlan
  dataset: BuilderDataset
  onChange: (currency: NonNullable<QueryPlan['currency']> | null) => void
}
const AS_IS = ''

/** Which currency amounts are shown in, and by which rates; as they are unless chosen. */
export function CurrencyEditor({ plan, dataset, onChange }: CurrencyEditorProps) {
  const { workspace } = useSession()
  const canConvert = workspace?.entitlements.features.multiCurrency ?? false
  const { data: overview } = useQuery(currenciesQuery())
  const chosen = plan.currency ?? null
  const workspaceCurrency = overview?.settings.code ?? workspace?.settings.currency ?? 'EUR'
  const choices = useMemo(() => {
    const all = currencyNameOptions(workspaceCurrency)
    const known = new Set([workspaceCurrency, ...(chosen ? [chosen.code] : []), ...(overview?.currencies ?? [])])
    const listed = overview ? all.filter(({ value }) => known.has(value)) : all
    const first = listed.filter(({ value }) => value === workspaceCurrency)
    return [
      { value: AS_IS, label: 'Not converted' },
      ...first,
      ...listed.filter(({ value }) => value !== workspaceCurrency),
    ]
  }, [workspaceCurrency, chosen, overview])
  const datasets = [dataset, ...(dataset.linked ?? [])]
  const usual = defaultCurrencyMode(plan, datasets, overview?.settings.mode ?? 'automatic')
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
      <Select
        aria-label="Show amounts in"
        data={canConvert ? choices : choices.filter(({ value }) => value === AS_IS || value === chosen?.code)}
        value={chosen?.code ?? AS_IS}
        searchable={canConvert}
        onChange={(code) => onChange(code === null || code === AS_IS ? null : { code, mode: chosen?.mode ?? usual })}
      />
      {chosen && (
        <Select
          aria-label="Rates"
          data={CURRENCY_MODES.map((value) => ({ value, label: CURRENCY_MODE_LABELS[value] }))}
          value={chosen.mode}
          disabled={!canConvert}
          onChange={(mode) => mode && onChange({ ...chosen, mode })}
        />
      )}
      {!canConvert && !chosen && <MutedText size="xs">Currency conversion needs the Professional plan.</MutedText>}
    </SimpleGrid>
  )
}
