import { Group, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DataAccess, ViewAsSubject } from '../../../src/shared/data-access/data-access'
import { SearchField } from '../../ui/forms/search-field'
import { QueryView } from '../../ui/query-view'
import { TableSkeleton } from '../../ui/skeletons'
import classes from './data-access.module.css'
import { DatasetList } from './dataset-list'
import { Inspector } from './inspector'
import { PeopleList } from './people-list'
import { accessOverviewQuery } from './queries'
import { ViewAsDialog } from './view-as-dialog'
import type { InspectionTarget } from './view-table'

/** Who sees what: by person, or by dataset. */
export function OverviewTab({ access }: { access: DataAccess }) {
  const overview = useQuery(accessOverviewQuery())
  const [by, setBy] = useState<'person' | 'dataset'>('person')
  const [search, setSearch] = useState('')
  const [asked, setAsked] = useState<InspectionTarget | null>(null)
  const [viewAs, setViewAs] = useState<ViewAsSubject | null>(null)
  return (
    <Stack gap="md">
      <Group gap="sm">
        <SearchField
          label="Search people, groups or datasets"
          value={search}
          onChange={setSearch}
          className={classes.search}
        />
        <SegmentedControl
          aria-label="List by"
          data={[
            { value: 'person', label: 'By person' },
            { value: 'dataset', label: 'By dataset' },
          ]}
          value={by}
          onChange={setBy}
        />
      </Group>
      <QueryView query={overview} skeleton={<TableSkeleton />}>
        {(data) =>
          by === 'person' ? (
            <PeopleList {...{ data, search }} onAsk={setAsked} onViewAs={setViewAs} />
          ) : (
            <DatasetList {...{ access, data, search }} onAsk={setAsked} />
          )
        }
      </QueryView>
      {asked && <Inspector {...asked} onClose={() => setAsked(null)} />}
      {viewAs && <ViewAsDialog initial={viewAs} onClose={() => setViewAs(null)} />}
    </Stack>
  )
}
