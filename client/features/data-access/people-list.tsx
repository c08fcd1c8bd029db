import { Badge, Button } from '@mantine/core'
import { IconUserSearch } from '@tabler/icons-react'
import type { AccessOverview, ViewAsSubject } from '../../../src/shared/data-access/data-access'
import { capitalize } from '../../../src/shared/text'
import { useAccessNames, type AccessNames } from './access-names'
import { isFullView } from './access-text'
import { AccessItem, includesText, ShownList, ViewTable, type InspectionTarget } from './view-table'

type Person = AccessOverview['people'][number]

interface PeopleListProps {
  data: AccessOverview
  search: string
  onAsk: (asked: InspectionTarget) => void
  onViewAs: (subject: ViewAsSubject) => void
}

/** What each person sees. */
export function PeopleList({ data, search, ...actions }: PeopleListProps) {
  const { datasets, people } = data
  const names = useAccessNames()
  const shown = people.filter(({ name, role, groups }) =>
    includesText([name, role, ...groups.map((group) => group.name), ...datasets.map((one) => one.name)], search),
  )
  return (
    <ShownList items={shown} search={search}>
      {(person) => <PersonItem key={person.userId} {...{ person, datasets, names, search }} {...actions} />}
    </ShownList>
  )
}

/** `Sees all data`; else what is limited, hidden or masked. */
function describePerson({ views, hiddenMetrics, hiddenCategories }: Person): string {
  const none = views.filter(({ rows }) => rows === 'none').length
  const some = views.filter((view) => view.rows !== 'none' && !isFullView(view)).length
  const datasets = (count: number): string => (count === 1 ? '1 dataset' : `${count} datasets`)
  const parts = [
    ...(some > 0 ? [`${datasets(some)} limited`] : []),
    ...(none > 0 ? [`${some > 0 ? none : datasets(none)} hidden`] : []),
    ...(hiddenMetrics > 0 ? [hiddenMetrics === 1 ? '1 metric hidden' : `${hiddenMetrics} metrics hidden`] : []),
    ...(hiddenCategories > 0
      ? [hiddenCategories === 1 ? '1 category hidden' : `${hiddenCategories} categories hidden`]
      : []),
  ]
  return parts.length === 0 ? 'Sees all data' : parts.join(' · ')
}

type PersonItemProps = Omit<PeopleListProps, 'data'> & {
  person: Person
  datasets: AccessOverview['datasets']
  names: AccessNames
}

function PersonItem({ person, datasets, names, search, onAsk, onViewAs }: PersonItemProps) {
  const { userId, name, role, groups, views } = person
  // A search for a dataset shows that one; for a person all of theirs.
  const isPerson = includesText([name, role, ...groups.map((group) => group.name)], search)
  const lines = datasets.flatMap((dataset, at) => {
    const view = views[at]
    return view && (isPerson || includesText([dataset.name], search)) ? [{ dataset, view }] : []
  })
  return (
    <AccessItem
      {...{ name }}
      id={userId}
      note={capitalize(role)}
      badges={groups.map((group) => (
        <Badge key={group.id} size="sm" variant="default" fw={500}>
          {group.name}
        </Badge>
      ))}
      summary={describePerson(person)}
    >
      <ViewTable
        first="Dataset"
        label={`Access of ${name}`}
        lines={lines.map(({ dataset, view }) => ({
          ...{ key: dataset.id, dataset: dataset.id, view },
          name: dataset.name,
          restricted: dataset.restricted,
          onAsk: () => onAsk({ userId, dataset: dataset.id }),
        }))}
        names={names}
      />
      <Button
        mt="sm"
        size="xs"
        variant="default"
        leftSection={<IconUserSearch size={14} aria-hidden />}
        onClick={() => onViewAs({ kind: 'member', id: userId })}
      >
        View as {name}
      </Button>
    </AccessItem>
  )
}
