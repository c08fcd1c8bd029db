import {
  IconBox,
  IconBuilding,
  IconCalendar,
  IconChartBar,
  IconCoins,
  IconFolder,
  IconReceipt,
  IconShoppingCart,
  IconStar,
  IconTarget,
  IconTruck,
  IconUsers,
  IconRosetteDiscountCheck,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { Badge, Tooltip, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Category, CategoryIcon as Name, Verification, Insight } from '../../../../src/shared/insights'
import { useFormat } from '../../../lib/format'
import { LinkAnchor } from '../../../ui/buttons/links'
import { categoriesQuery } from '../../../lib/queries/insight-queries'

const CATEGORY_ICONS_BY_NAME = {
  folder: IconFolder,
  chart: IconChartBar,
  coins: IconCoins,
  receipt: IconReceipt,
  cart: IconShoppingCart,
  box: IconBox,
  truck: IconTruck,
  users: IconUsers,
  building: IconBuilding,
  target: IconTarget,
  calendar: IconCalendar,
  star: IconStar,
} satisfies Record<Name, Icon>

export const CATEGORY_ICON_LABELS: Record<Name, string> = {
  folder: 'Folder',
  chart: 'Chart',
  coins: 'Coins',
  receipt: 'Receipt',
  cart: 'Cart',
  box: 'Box',
  truck: 'Truck',
  users: 'People',
  building: 'Building',
  target: 'Target',
  calendar: 'Calendar',
  star: 'Star',
}

export function CategoryIcon({ name, size = 16 }: { name: Name; size?: number }) {
  const Shown = CATEGORY_ICONS_BY_NAME[name]
  return <Shown size={size} aria-hidden style={{ flex: 'none' }} />
}

/** Somebody vouches for the figures. On a page with who and when; on a card with the word alone. */
export function VerifiedBadge({ verified, short = false }: { verified: Verification; short?: boolean }) {
  const format = useFormat()
  const words = `by ${verified.byName} on ${format.day(verified.at)}`
  const badge = (
    <Badge
      size="sm"
      color="green"
      fw={600}
      leftSection={<IconRosetteDiscountCheck size={14} aria-hidden />}
      style={{ flex: 'none', maxWidth: '100%' }}
    >
      {short ? 'Verified' : `Verified ${words}`}
    </Badge>
  )
  return short ? <Tooltip label={`Verified ${words}`}>{badge}</Tooltip> : badge
}

export function useInsightCategory({ categoryId }: Insight): Category | undefined {
  const categories = useQuery({ ...categoriesQuery(), enabled: categoryId !== null })
  return categories.data?.find(({ id }) => id === categoryId)
}

/** Above the title of an insight: where it is put, and who vouches for it. Nothing when there is neither. */
export function InsightBadges({ insight }: { insight: Insight }) {
  const category = useInsightCategory(insight)
  if (!category && !insight.verified) return null
  return (
    <Group gap="sm">
      {category && (
        <LinkAnchor to="/insights" search={{ category: category.id }} size="sm">
          <Group component="span" gap={6} wrap="nowrap" display="inline-flex">
            <CategoryIcon name={category.icon} />
            {category.name}
          </Group>
        </LinkAnchor>
      )}
      {insight.verified && <VerifiedBadge verified={insight.verified} />}
    </Group>
  )
}
