import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { landingPagesQuery } from './queries'
import type { LandingPage } from './queries'

export const DEFAULT_LANDING = '/insights'
const LIST_PAGES = {
  group: 'Lists',
  items: [
    { value: '/insights', label: 'All insights' },
    { value: '/data-sources', label: 'All data sources' },
  ],
}

const pageOptions = (pages: readonly LandingPage[], kind: LandingPage['kind']) =>
  pages.filter((page) => page.kind === kind).map(({ path, name }) => ({ value: path, label: name }))

/** Which page newcomers see first. */
export function LandingField({ value, onChange }: { value: string; onChange: (path: string) => void }) {
  const { data = [] } = useQuery(landingPagesQuery())
  const groups = [
    LIST_PAGES,
    { group: 'Insights', items: pageOptions(data, 'insight') },
    { group: 'Data sources', items: pageOptions(data, 'source') },
  ].filter(({ items }) => items.length > 0)
  return (
    <Select
      label="First page"
      description="What they see when they come in."
      data={groups}
      searchable={data.length > 0}
      allowDeselect={false}
      value={value}
      onChange={(path) => path !== null && onChange(path)}
    />
  )
}
