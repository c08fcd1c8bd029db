import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dependentsQuery } from './queries'
import { LinkAnchor } from '../../ui/links'
import { SectionCard } from '../../ui/section-card'
import type { MetricDependent } from '../../../src/shared/metrics'

/** What shows another figure once this one is changed. */
export function MetricDependents({ id }: { id: string }) {
  const used = useQuery(dependentsQuery(id))
  if (!used.data) return null
  return (
    <SectionCard title="Used by" description="They follow every change of this metric.">
      {used.data.length === 0 ? (
        <Text c="dimmed">Nothing uses it yet.</Text>
      ) : (
        <List>
          {used.data.map((one) => (
            <List.Item key={`${one.type} ${one.id}`}>
              <DependentLink dependent={one} />
            </List.Item>
          ))}
        </List>
      )}
    </SectionCard>
  )
}

function DependentLink({ dependent: { type, id, name } }: { dependent: MetricDependent }) {
  if (type === 'insight')
    return (
      <LinkAnchor to="/insights/$id" params={{ id }}>
        {name}
      </LinkAnchor>
    )
  if (type === 'metric')
    return (
      <LinkAnchor to="/metrics/$id" params={{ id }}>
        {name}
      </LinkAnchor>
    )
  if (type === 'forecast')
    return (
      <LinkAnchor to="/forecasts/$id" params={{ id }}>
        {name}
      </LinkAnchor>
    )
  return (
    <>
      {name} ({type})
    </>
  )
}
