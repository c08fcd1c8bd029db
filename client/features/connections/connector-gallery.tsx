import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconCloudDownload, IconDatabase, IconReceipt, IconReportMoney, IconTerminal2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { connectorsQuery } from './queries'
import classes from './connections.module.css'
import { useMayWrite } from '../../lib/gate'
import { NeutralBadge } from '../../ui/neutral-badge'
import { QueryView } from '../../ui/query-view'
import { TableSkeleton } from '../../ui/skeletons'
import { CONNECTOR_GROUPS, type ConnectorGroup } from '../../../src/shared/data-sources/connectors'
import type { OfferedConnector } from '../../../src/shared/data-sources/connections'

const GROUPS: Record<ConnectorGroup, { label: string; icon: typeof IconDatabase }> = {
  files: { label: 'Online files and buckets', icon: IconCloudDownload },
  databases: { label: 'Databases', icon: IconDatabase },
  accounting: { label: 'Accounting', icon: IconReportMoney },
  sales: { label: 'Sales and payments', icon: IconReceipt },
  programs: { label: 'Your own programs', icon: IconTerminal2 },
}

/** Every kind that can be connected, below the files. One without keys of the installation is shown to administrators only. */
export function ConnectorGallery() {
  const kinds = useQuery(connectorsQuery())
  if (!useMayWrite('create:source')) return null
  return (
    <Stack gap="md" mt="xl" component="section" aria-labelledby="connect-kinds">
      <Title order={2} id="connect-kinds">
        Or connect a source
      </Title>
      <QueryView query={kinds} skeleton={<TableSkeleton count={3} />}>
        {(offered) =>
          CONNECTOR_GROUPS.map((group) => {
            const items = offered.filter(({ description }) => description.group === group)
            return items.length > 0 && <KindGroup key={group} group={group} items={items} />
          })
        }
      </QueryView>
    </Stack>
  )
}

function KindGroup({ group, items }: { group: ConnectorGroup; items: OfferedConnector[] }) {
  const { label, icon: Icon } = GROUPS[group]
  return (
    <div>
      <Text fw={600} size="sm" mb="xs">
        {label}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" component="ul" className={classes.list}>
        {items.map(({ description: { kind, title, summary }, configured }) => (
          <li key={kind} className={classes.card} data-off={!configured || undefined}>
            <Icon size={22} aria-hidden className={classes.icon} />
            <div>
              {configured ? (
                <Link to="/data-sources/new/$kind" params={{ kind }} className={classes.link}>
                  {title}
                </Link>
              ) : (
                <Text span fw={600}>
                  {title} <NeutralBadge>No keys</NeutralBadge>
                </Text>
              )}
              <Text size="sm" c="dimmed">
                {configured ? summary : 'Set this vendor’s keys in the installation to offer it.'}
              </Text>
            </div>
          </li>
        ))}
      </SimpleGrid>
    </div>
  )
}
