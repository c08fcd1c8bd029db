import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  IconBell,
  IconChartBar,
  IconColumns3,
  IconDatabase,
  IconFolders,
  IconMathFunction,
  IconMessageChatbot,
  IconReportAnalytics,
  IconReportMoney,
  IconSearch,
  IconTable,
  IconTrendingUp,
  IconUser,
} from '@tabler/icons-react'
import '@mantine/spotlight/styles.css'
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../lib/session'
import { namesQuery, searchQuery, type NamedItem, type NamedKind } from './queries'
import { rankItems } from './ranking'
import { REPORT_PATHS } from '../../lib/report-paths'
import { recentIds, rememberOpened } from './recent'
import { useSearchActions, type SearchAction } from './search-actions'

const KINDS: Record<NamedKind, { label: string; icon: typeof IconUser }> = {
  insight: { label: 'Insight', icon: IconChartBar },
  report: { label: 'Report', icon: IconReportAnalytics },
  metric: { label: 'Metric', icon: IconMathFunction },
  source: { label: 'Data source', icon: IconDatabase },
  statement: { label: 'Statement', icon: IconReportMoney },
  table: { label: 'Table', icon: IconTable },
  column: { label: 'Column', icon: IconColumns3 },
  grouping: { label: 'Grouping', icon: IconFolders },
  forecast: { label: 'Forecast', icon: IconTrendingUp },
  alert: { label: 'Alert', icon: IconBell },
  member: { label: 'Member', icon: IconUser },
}

function useOpenNamed(): (item: NamedItem) => void {
  const navigate = useNavigate()
  return ({ kind, id, opens = id, name, statement, report = 'interactive' }) => {
    const params = { id: opens }
    switch (kind) {
      case 'insight':
        return void navigate({ to: '/insights/$id', params })
      case 'report':
        return void navigate({ to: REPORT_PATHS[report], params })
      case 'metric':
        return void navigate({ to: '/metrics/$id', params })
      case 'statement':
        return void navigate({ to: '/data-sources/$id', params, search: { statement } })
      case 'source':
      case 'table':
      case 'column':
        return void navigate({ to: '/data-sources/$id', params })
      case 'grouping':
        return void navigate({ to: '/data-grouping/$id', params })
      case 'forecast':
        return void navigate({ to: '/forecasts/$id', params })
      case 'alert':
        return void navigate({ to: '/alerts/$id', params })
      case 'member':
        return void navigate({ to: '/settings/workspace/members', search: { q: name } })
    }
  }
}

/** Everything of the workspace with a name that the person may open, as things to open. */
function useNamedItems(text: string, opened: boolean): { items: SearchAction[]; waiting: boolean; failed: boolean } {
  const may = useSession().workspace?.permissions ?? []
  const open = useOpenNamed()
  const names = useQuery({ ...namesQuery(may), enabled: opened })
  const found = useQuery({ ...searchQuery(text, may), placeholderData: keepPreviousData })
  const all = new Map([...(names.data ?? []), ...(found.data ?? [])].map((item) => [item.id, item]))
  const items = [...all.values()].map((item): SearchAction => ({
    id: item.id,
    group: item.within === undefined ? KINDS[item.kind].label : `${KINDS[item.kind].label} in ${item.within}`,
    label: item.name,
    icon: KINDS[item.kind].icon,
    run: () => open(item),
  }))
  return { items, waiting: names.isFetching || found.isFetching, failed: names.isError }
}

/** More is not read: who does not see it types on. */
const SHOWN_MAX = 30
/** Longer than the dialog takes to close. */
const FOCUS_RETURN_MS = 250
const PLACEHOLDER = 'Search names, pages and actions'

/** ⌘K: everything with a name, every page and every action, the best match first. */
export function SearchDialog() {
  const [query, setQuery] = useState('')
  const [opened, setOpened] = useState(false)
  const typed = query.trim()
  const [debouncedQuery] = useDebouncedValue(typed, 200)
  const named = useNamedItems(debouncedQuery, opened)
  const actions = useSearchActions()
  const giveFocusBack = useFocusReturn()
  const asked = useAskAction(typed)
  const all = [...named.items, ...actions]
  const recent = recentIds()
  const lists = typed === '' ? suggestions(all, actions, recent) : matches(all, asked, typed, recent)
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setOpened(true)}
      onSpotlightClose={() => {
        setOpened(false)
        giveFocusBack()
      }}
      returnFocus={false}
      shortcut={['mod + K']}
      attributes={{ content: { 'aria-label': 'Search' } }}
      scrollable
      maxHeight={460}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      styles={{ content: { marginTop: '10vh', alignSelf: 'flex-start' }, actionsList: { paddingBottom: 8 } }}
    >
      <Spotlight.Search
        placeholder={PLACEHOLDER}
        aria-label={PLACEHOLDER}
        data-transient
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {lists.map(({ label, items }) => (
          <SearchGroup key={label} label={label} items={items} withKind={label === 'Recent' || label === 'Results'} />
        ))}
        {lists.length === 0 && <Spotlight.Empty>{emptyText(named, typed)}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function emptyText({ waiting, failed }: { waiting: boolean; failed: boolean }, typed: string): string {
  if (waiting) return 'Searching…'
  return failed ? 'Couldn’t search. Check your connection.' : `Nothing matches “${typed}”`
}

interface SearchList {
  label: string
  items: SearchAction[]
}
const filled = (lists: SearchList[]): SearchList[] => lists.filter(({ items }) => items.length > 0)

/** Before anything is typed: what was opened last, then what can be done and where one can go. */
const suggestions = (
  all: readonly SearchAction[],
  actions: readonly SearchAction[],
  recent: readonly string[],
): SearchList[] =>
  filled([
    { label: 'Recent', items: recent.flatMap((id) => all.find((item) => item.id === id) ?? []) },
    ...['Actions', 'Pages', 'Workspaces'].map((label) => ({
      label,
      items: actions.filter(({ id, group }) => group === label && !recent.includes(id)),
    })),
  ])

const matches = (
  all: readonly SearchAction[],
  asked: readonly SearchAction[],
  typed: string,
  recent: readonly string[],
): SearchList[] =>
  filled([
    { label: 'Results', items: rankItems(all, typed, recent).slice(0, SHOWN_MAX) },
    { label: 'Insight bot', items: [...asked] },
  ])

/** Shorter texts are names rather than questions. */
const QUESTION_MIN_CHARS = 3

/** What is typed as a question to the bot, for whoever may ask. */
function useAskAction(typed: string): SearchAction[] {
  const navigate = useNavigate()
  const { workspace } = useSession()
  const may = workspace?.permissions.includes('view:insight') === true && workspace.entitlements.features.aiAssistant
  if (!may || typed.length < QUESTION_MIN_CHARS) return []
  const run = (): void => void navigate({ to: '/insight-bot', search: { q: typed } })
  return [{ id: 'ask', group: 'Insight bot', label: `Ask “${typed}”`, icon: IconMessageChatbot, run }]
}

const isInDialog = (element: Element | null): boolean => element?.closest('[role="dialog"]') != null

/**
 * Leads the focus back to where it was outside of the dialog. The dialog's own way remembers its field, which has the
 * focus before the dialog looks where it was.
 */
function useFocusReturn(): () => void {
  const before = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && !isInDialog(target)) before.current = target
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  return () => {
    const target = before.current
    // After the dialog has let go of the focus; where a choice led elsewhere, that has it.
    setTimeout(() => {
      const now = document.activeElement
      if (target?.isConnected && (now === null || now === document.body || isInDialog(now))) target.focus()
    }, FOCUS_RETURN_MS)
  }
}

interface SearchGroupProps extends SearchList {
  withKind: boolean
}

function SearchGroup({ label, items, withKind }: SearchGroupProps) {
  return (
    <Spotlight.ActionsGroup label={label}>
      {items.map(({ id, label: words, group, icon: Icon, run }) => (
        <Spotlight.Action
          key={id}
          label={words}
          leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
          rightSection={
            withKind && (
              <Text size="xs" c="inherit" opacity={0.75} truncate maw={200} visibleFrom="sm">
                {KIND_OF_GROUP[group] ?? group}
              </Text>
            )
          }
          onClick={() => {
            if (id !== 'ask') rememberOpened(id)
            spotlight.close()
            run()
          }}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

const KIND_OF_GROUP: Readonly<Record<string, string>> = { Actions: 'Action', Pages: 'Page', Workspaces: 'Workspace' }
