import { Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { AccessOverview, DataAccess } from '../../../src/shared/data-access/data-access'
import { formatPersonCount, formatRowCount } from '../../../src/shared/figures/formatter'
import { useFormat } from '../../lib/format'
import { useAccessNames, type AccessNames } from './access-names'
import { describeReach } from './access-text'
import { PolicyReviewDialog } from './policy-review'
import { useMayEditAccess } from './policy-saving'
import { STANCE_HINTS, STANCES } from './rule-fields'
import { withStance } from './rule-draft'
import { AccessItem, includesText, ShownList, StanceBadge, ViewTable, type InspectionTarget } from './view-table'

type AccessDataset = AccessOverview['datasets'][number]

interface DatasetListProps {
  access: DataAccess
  data: AccessOverview
  search: string
  onAsk: (asked: InspectionTarget) => void
}

/** Who sees each dataset. */
export function DatasetList({ access, data, search, onAsk }: DatasetListProps) {
  const { datasets, people } = data
  const names = useAccessNames()
  const [stance, setStance] = useState<AccessDataset | null>(null)
  const shown = datasets.flatMap((dataset, at) =>
    includesText([dataset.name, dataset.sourceName], search) ||
    people.some(({ name, groups }) => includesText([name, ...groups.map((group) => group.name)], search))
      ? [{ dataset, at }]
      : [],
  )
  return (
    <>
      <ShownList items={shown} search={search}>
        {({ dataset, at }) => (
          <DatasetItem
            key={dataset.id}
            {...{ access, dataset, at, people, names, search, onAsk }}
            onStance={() => setStance(dataset)}
          />
        )}
      </ShownList>
      {stance && (
        <PolicyReviewDialog
          access={access}
          title={stance.restricted ? `Open ${stance.name}?` : `Restrict ${stance.name}?`}
          message={
            stance.restricted
              ? 'All members see it, unless a rule says otherwise.'
              : 'Only people that a rule allows see it. Owners keep access.'
          }
          change={(policy) =>
            withStance(
              policy,
              { kind: 'dataset', id: stance.id },
              { restricted: !stance.restricted, name: stance.name },
            )
          }
          submit={stance.restricted ? 'Open dataset' : 'Restrict dataset'}
          saved={stance.restricted ? 'Dataset open' : 'Dataset restricted'}
          onSaved={() => setStance(null)}
          onClose={() => setStance(null)}
        />
      )}
    </>
  )
}

interface DatasetItemProps extends Omit<DatasetListProps, 'data'> {
  dataset: AccessDataset
  /** Its place among the views of people. */
  at: number
  people: AccessOverview['people']
  names: AccessNames
  onStance: () => void
}

function DatasetItem({ access, dataset, at, people, names, search, onAsk, onStance }: DatasetItemProps) {
  const format = useFormat()
  const mayEdit = useMayEditAccess(access)
  const { id, name, sourceName, rowCount, restricted } = dataset
  const isDataset = includesText([name, sourceName], search)
  const seen = people.flatMap((person) => {
    const view = person.views[at]
    return view ? [{ person, view }] : []
  })
  const lines = seen.filter(
    ({ person }) => isDataset || includesText([person.name, ...person.groups.map((group) => group.name)], search),
  )
  return (
    <AccessItem
      {...{ id, name }}
      note={`${sourceName === name ? '' : `${sourceName} · `}${formatRowCount(format, rowCount)}`}
      badges={restricted && <StanceBadge />}
      summary={describeReach(seen.map(({ view }) => view))}
    >
      <Group gap="sm" mb="sm">
        <SegmentedControl
          aria-label={`Default of ${name}`}
          size="xs"
          data={[...STANCES]}
          value={restricted ? 'restricted' : 'open'}
          readOnly={!mayEdit}
          onChange={onStance}
        />
        <Text size="xs" c="dimmed">
          {STANCE_HINTS[restricted ? 'restricted' : 'open']}
        </Text>
      </Group>
      <ViewTable
        first={formatPersonCount(lines.length)}
        label={`Access to ${name}`}
        lines={lines.map(({ person, view }) => ({
          ...{ key: person.userId, name: person.name, dataset: id, view, restricted: false },
          onAsk: () => onAsk({ userId: person.userId, dataset: id }),
        }))}
        names={names}
      />
    </AccessItem>
  )
}
