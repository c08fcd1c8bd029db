import { ActionIcon, Menu, Text, type MenuItemProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface MoreMenuItem extends Pick<MenuItemProps, 'color' | 'disabled'> {
  c?: string | undefined
  label: string
  /** Below the label: why it cannot be chosen. */
  note?: string | undefined
  icon?: typeof IconDots
  onClick: () => void
}

interface MoreMenuButtonProps {
  /** What a screen reader calls the button. */
  label: string
  /** In a page's header: as large as the buttons beside it. */
  inHeader?: boolean
  size?: 'md' | 'lg' | number
  loading?: boolean
}

/** A button with three dots, for items of any kind. */
export function MoreMenuFrame(props: MoreMenuButtonProps & { children: ReactNode }) {
  const { label, inHeader = false, size = inHeader ? 36 : 'md', loading = false, children } = props
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant={inHeader ? 'default' : 'subtle'}
          color="gray"
          size={size}
          loading={loading}
          aria-label={label}
        >
          <IconDots size={size === 'md' ? 16 : 18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

/** What else can be done with a thing. `false` stands for what is not offered; nothing is shown when nothing is. */
export function MoreMenu({ items, ...button }: MoreMenuButtonProps & { items: readonly (MoreMenuItem | false)[] }) {
  const offered = items.filter((item) => item !== false)
  if (offered.length === 0) return null
  return (
    <MoreMenuFrame {...button}>
      {offered.map((item) => (
        <MoreMenuEntry key={item.label} {...item} />
      ))}
    </MoreMenuFrame>
  )
}

export function MoreMenuEntry({ label, note, icon: Icon, c, ...item }: MoreMenuItem) {
  return (
    <Menu.Item {...item} {...(c === undefined ? {} : { c })} leftSection={Icon && <Icon size={16} aria-hidden />}>
      {label}
      {note !== undefined && (
        <Text size="xs" c="dimmed" maw={220}>
          {note}
        </Text>
      )}
    </Menu.Item>
  )
}
