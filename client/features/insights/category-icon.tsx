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
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { CategoryIcon as Name } from '../../../src/shared/insight-care'

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
