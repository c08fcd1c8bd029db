import { Alert, Button, Tabs, Text } from '@mantine/core'
import { IconLock, IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { DataAccess } from '../../../src/shared/data-access/data-access'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { PageHeader } from '../../ui/page-header'
import { QueryView, RefetchError } from '../../ui/query-view'
import { TableSkeleton } from '../../ui/skeletons'
import { UpgradeLine } from '../../ui/upgrade-prompt'
import { AttributesTab } from './attributes-tab'
import classes from './data-access.module.css'
import { HistoryTab } from './history-tab'
import { OverviewTab } from './overview-tab'
import { dataAccessQuery } from './queries'
import { RulesTab } from './rules-tab'
import { TestsTab } from './tests-tab'
import { ViewAsDialog } from './view-as-dialog'

const ACCESS_TABS = [
  { value: 'overview', label: 'Who sees what', panel: OverviewTab },
  { value: 'rules', label: 'Rules', panel: RulesTab },
  { value: 'attributes', label: 'Attributes', panel: AttributesTab },
  { value: 'tests', label: 'Tests', panel: TestsTab },
  { value: 'history', label: 'History', panel: HistoryTab },
] as const

/** Who sees which rows and columns, and the rules that say so. For owners and admins; the tab stands in the address. */
export function DataAccessScreen() {
  const may = useMay('view:access')
  return may ? (
    <ManagedAccess />
  ) : (
    <>
      <PageHeader title="Data access" />
      <EmptyState picture="locked" title="Only for owners and admins" sentence="Ask one of them for access." />
    </>
  )
}

function ManagedAccess() {
  const access = useQuery(dataAccessQuery())
  const isViewing = useSession().workspace?.viewAs != null
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <PageHeader
        title="Data access"
        actions={
          !isViewing && (
            <Button
              variant="default"
              leftSection={<IconUserSearch size={16} aria-hidden />}
              onClick={() => setChoosing(true)}
            >
              View as
            </Button>
          )
        }
      />
      <LockedNotice />
      <RefetchError query={access} />
      <QueryView query={access} skeleton={<TableSkeleton />}>
        {(data) => <AccessTabs access={data} />}
      </QueryView>
      {choosing && <ViewAsDialog initial={null} onClose={() => setChoosing(false)} />}
    </>
  )
}

/** What the plan leaves out, and what of the rules goes on. */
function LockedNotice() {
  const isPlanned = useSession().workspace?.entitlements.features.dataAccessManagement ?? false
  if (isPlanned) return null
  return (
    <Alert
      color="yellow"
      icon={<IconLock aria-hidden />}
      mb="md"
      role="status"
      title="Data access rules aren’t in your plan"
    >
      <Text size="sm">Existing rules stay enforced but can’t be changed.</Text>
      <UpgradeLine need={{ kind: 'gate', gate: 'dataAccessManagement' }} />
    </Alert>
  )
}

function AccessTabs({ access }: { access: DataAccess }) {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const shown = ACCESS_TABS.find(({ value }) => value === tab)?.value ?? 'overview'
  const select = (value: string | null): void =>
    void navigate({
      to: '/settings/workspace/data-access',
      search: value === null || value === 'overview' ? {} : { tab: value },
      replace: true,
    })
  return (
    <Tabs value={shown} onChange={select} keepMounted={false}>
      <Tabs.List mb="md" className={classes.tabs}>
        {ACCESS_TABS.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {ACCESS_TABS.map(({ value, panel: Panel }) => (
        <Tabs.Panel key={value} value={value}>
          <Panel access={access} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
