import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ColumnsTab } from './columns-tab'
import { RowsTab } from './preview-tab'
import { LoadHistoryTab } from './runs-tab'
import classes from './table-list.module.css'
import { VersionsTab } from './versions-tab'
import type { DataSource, Dataset } from '../../../src/shared/sources'

const TABS = [
  { value: 'overview', label: 'Rows' },
  { value: 'columns', label: 'Columns' },
  { value: 'relations', label: 'Relations' },
  { value: 'runs', label: 'Loads' },
  { value: 'versions', label: 'Versions' },
] as const

export interface DatasetTabsProps {
  source: DataSource
  dataset: Dataset
  relations: ((dataset: Dataset) => ReactNode) | undefined
}

/** One table from all sides. The tab stands in the address, so that it can be sent to somebody. */
export function DatasetTabs({ source, dataset, relations }: DatasetTabsProps) {
  const { tab, dataset: wanted } = useSearch({ strict: false })
  const navigate = useNavigate()
  const tabs = TABS.filter(({ value }) => value !== 'relations' || relations !== undefined)
  const shown = tabs.find(({ value }) => value === tab)?.value ?? 'overview'
  const go = (value: string | null) =>
    void navigate({
      to: '/data-sources/$id',
      params: { id: source.id },
      search: {
        ...(wanted === undefined ? {} : { dataset: wanted }),
        ...(value === null || value === 'overview' ? {} : { tab: value }),
      },
      replace: true,
    })
  return (
    <Tabs value={shown} onChange={go} keepMounted={false}>
      <Tabs.List mb="md" className={classes.tabs}>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <RowsTab dataset={dataset} />
      </Tabs.Panel>
      <Tabs.Panel value="columns">
        <ColumnsTab key={dataset.id} dataset={dataset} />
      </Tabs.Panel>
      {relations && <Tabs.Panel value="relations">{relations(dataset)}</Tabs.Panel>}
      <Tabs.Panel value="runs">
        <LoadHistoryTab source={source} />
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <VersionsTab dataset={dataset} />
      </Tabs.Panel>
    </Tabs>
  )
}
