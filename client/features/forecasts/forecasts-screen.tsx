import { SearchField } from '../../ui/forms/search-field'
import { QueryStatus } from '../../ui/query-view'
import { ShowMore } from '../../ui/buttons/show-more'
import { Box, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconChartLine, IconPlus } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useMayWrite } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { LinkButton } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { SectionCard } from '../../ui/section-card'
import { CashForecastCard } from './scenarios/cash-balance'
import { useForecastableMetrics, type ForecastableMetric } from './form/forecastable-metrics'
import { ForecastCard } from './forecast-card'
import classes from './forecasts.module.css'
import { forecastsQuery } from './queries'

const SEARCH_FROM = 7
const SUGGESTIONS_MAX = 6

/** Every forecast of the workspace. */
export function ForecastsScreen() {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 250)
  const list = useInfiniteQuery({ ...forecastsQuery(q === '' ? {} : { q }), placeholderData: keepPreviousData })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const searched = q !== '' || text !== ''
  const may = useMayWrite('edit:forecast')
  const isEmpty = list.data !== undefined && items.length === 0
  return (
    <>
      <PageHeader
        title="Forecasts"
        description={useQuotaDescription(items.length, list.data !== undefined && !list.hasNextPage && !searched)}
        actions={may && items.length > 0 && <NewForecast />}
      />
      {(searched || items.length >= SEARCH_FROM) && (
        <SearchField label="Search forecasts" mb="md" maw={360} value={text} onChange={setText} />
      )}
      <QueryStatus query={list} skeleton={<ListSkeleton />} />
      {items.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
          {items.map((forecast) => (
            <ForecastCard key={forecast.id} forecast={forecast} />
          ))}
        </SimpleGrid>
      )}
      {isEmpty && searched && (
        <EmptyState picture="search" title={`No forecasts match “${text}”`} sentence="Try another name." />
      )}
      {isEmpty && !searched && (
        <NoForecasts may={may}>
          <CashForecastCard forecasts={items} />
        </NoForecasts>
      )}
      {may && items.length > 0 && !searched && (
        <Box mt="md">
          <CashForecastCard forecasts={items} />
        </Box>
      )}
      <ShowMore query={list} mt="lg" />
    </>
  )
}

/** "2 of 3 active forecasts", once all of them are there. */
function useQuotaDescription(count: number, whole: boolean): string | undefined {
  const max = useSession().workspace?.entitlements.features.activeForecasts ?? null
  if (!whole || max === null || count === 0) return undefined
  return `${count} of ${max} active forecasts`
}

const NewForecast = () => (
  <LinkButton to="/forecasts/new" leftSection={<IconPlus size={16} aria-hidden />}>
    New forecast
  </LinkButton>
)

const ListSkeleton = () => (
  <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" aria-hidden>
    {[1, 2, 3].map((at) => (
      <Skeleton key={at} h={180} />
    ))}
  </SimpleGrid>
)

/** @param children what comes below the suggestions, once these have their room */
function NoForecasts({ may, children }: { may: boolean; children: ReactNode }) {
  const { all, error } = useForecastableMetrics()
  return (
    <Stack gap="md">
      <EmptyState
        picture="insights"
        title="No forecasts yet"
        sentence="See what to expect, with an interval and a backtest."
        action={may ? <NewForecast /> : undefined}
      />
      {may && all && all.length > 0 && <SuggestedForecasts all={all} />}
      {may && (all !== undefined || Boolean(error)) && children}
    </Stack>
  )
}

/** Measures that add up over time first: those are asked for most. */
function SuggestedForecasts({ all }: { all: readonly ForecastableMetric[] }) {
  const first = [...all.filter(({ additive }) => additive), ...all.filter(({ additive }) => !additive)]
  return (
    <SectionCard title="Suggestions">
      <ul className={classes.list}>
        {first.slice(0, SUGGESTIONS_MAX).map((one) => (
          <li key={one.key}>
            <LinkButton
              to="/forecasts/new"
              search={suggestionSearch(one)}
              variant="default"
              size="compact-md"
              leftSection={<IconChartLine size={16} aria-hidden />}
              aria-label={`Forecast ${one.label}`}
              maw="100%"
            >
              {one.label}
            </LinkButton>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}
const suggestionSearch = ({ subject }: ForecastableMetric) =>
  subject.kind === 'metric' ? { metric: subject.id } : { insight: subject.id, measure: subject.measure }
