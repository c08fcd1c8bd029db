import { DateField } from '../../ui/forms/date-field'
import { QueryStatus } from '../../ui/query-view'
import { Select, SimpleGrid, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { rateDaysQuery, type RateSearch } from './queries'
import { RATE_SOURCE_LABELS } from './describe-rates'
import { useFormat } from '../../lib/format'
import { currencyNameOptions } from '../../lib/regions'
import { ItemTable } from '../../ui/data-table/item-table'
import { pagedItems } from '../../ui/data-table/paged-items'
import { SectionCard } from '../../ui/section-card'
import { TableSkeleton } from '../../ui/skeletons'
import { ATTRIBUTION, type RateDays, type RatesOverview } from '../../../src/shared/currencies'
import { MutedText } from '../../ui/muted-text'

type RateDay = RateDays['days'][number]

export function PublishedRatesCard({ overview }: { overview: RatesOverview }) {
  const format = useFormat()
  const own = overview.settings.code
  const [search, setSearch] = useState<RateSearch>({
    base: own === 'EUR' ? 'USD' : 'EUR',
    quote: own,
    from: '',
    to: '',
  })
  const found = useInfiniteQuery(rateDaysQuery(search))
  const days = found.data?.pages.flatMap((page) => page.days) ?? []
  const change = (part: Partial<RateSearch>): void => setSearch({ ...search, ...part })
  return (
    <SectionCard title="Published rates" description={describeRateCoverage(overview, format)}>
      <RateSearchFields search={search} overview={overview} onChange={change} />
      <QueryStatus query={found} skeleton={<TableSkeleton count={5} />} />
      {found.data && days.length === 0 && (
        <MutedText>
          {search.base === search.quote
            ? 'Choose two different currencies.'
            : `No rates for ${search.base} in ${search.quote} in this period`}
        </MutedText>
      )}
      {days.length > 0 && (
        <ItemTable<RateDay>
          key={JSON.stringify(search)}
          caption={`Rates: ${search.base} in ${search.quote}`}
          items={days}
          itemKey={({ day }) => day}
          columns={[
            {
              ...{ label: 'Day', kind: 'date', value: ({ day }) => day },
              text: ({ day }) => format.date(day),
            },
            {
              ...{ label: `1 ${search.base} in ${search.quote}`, kind: 'number', value: ({ rate }) => rate },
              text: ({ rate }) => format.decimal(rate, 6, 4),
            },
            {
              ...{ label: 'Source', value: ({ source, reason }) => sourceText(source, reason) },
              draw: ({ source, reason }) => (
                <>
                  {RATE_SOURCE_LABELS[source]}
                  {reason !== null && <MutedText size="xs">{reason}</MutedText>}
                </>
              ),
            },
          ]}
          paged={pagedItems(found, (page) => page.days)}
          moreLabel="Show earlier rates"
        />
      )}
      <Text size="xs" c="dimmed">
        {ATTRIBUTION}. Other pairs are converted via the euro.
      </Text>
    </SectionCard>
  )
}

const sourceText = (source: keyof typeof RATE_SOURCE_LABELS, reason: string | null): string =>
  [RATE_SOURCE_LABELS[source], ...(reason === null ? [] : [reason])].join(': ')

function describeRateCoverage(overview: RatesOverview, format: ReturnType<typeof useFormat>): string {
  const { first, last, fetchedAt, fetching } = overview
  if (first === null || last === null) return 'No rates yet'
  const known = `${format.date(first)} – ${format.date(last)}`
  if (!fetching) return `${known} · not updated`
  return fetchedAt === null ? `${known} · updated daily` : `${known} · updated ${format.dateTime(fetchedAt)}`
}

interface RateSearchFieldsProps {
  search: RateSearch
  overview: RatesOverview
  onChange: (part: Partial<RateSearch>) => void
}

function RateSearchFields({ search, overview, onChange }: RateSearchFieldsProps) {
  const choices = useMemo(() => {
    const known = new Set([...overview.currencies, ...overview.own.flatMap(({ base, quote }) => [base, quote])])
    const all = currencyNameOptions(search.quote)
    return known.size < 2 ? all : all.filter(({ value }) => known.has(value) || value === search.quote)
  }, [overview, search.quote])
  const currency = { data: choices, searchable: true } as const
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      <Select label="From currency" value={search.base} onChange={(base) => base && onChange({ base })} {...currency} />
      <Select
        label="To currency"
        value={search.quote}
        onChange={(quote) => quote && onChange({ quote })}
        {...currency}
      />
      <DateField label="From" value={search.from} onChange={(day) => onChange({ from: day })} />
      <DateField label="To" value={search.to} onChange={(day) => onChange({ to: day })} />
    </SimpleGrid>
  )
}
