import { MutedText } from './muted-text'
import { Group, Stack, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './page-header.module.css'

export interface PageHeaderProps {
  title: string
  /** One sentence under the title: what is shown, for which period and filter. */
  description?: ReactNode
  /** Above the title: where this page belongs. */
  breadcrumb?: ReactNode
  /** The page's actions, the primary one last. */
  actions?: ReactNode
}

/** The one `h1` of a page; names the browser tab as well. */
export function PageHeader({ title, description, breadcrumb, actions }: PageHeaderProps) {
  useDocumentTitle(`${title} · Insikt`)
  return (
    <Group justify="space-between" align="flex-end" gap="sm" wrap="wrap" mb="lg">
      <Stack gap={2} style={{ minWidth: 0, flex: '1 1 16rem' }}>
        {breadcrumb}
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {description !== undefined && <MutedText>{description}</MutedText>}
      </Stack>
      {actions !== undefined && (
        <Group gap="xs" className={`no-print ${classes.actions}`}>
          {actions}
        </Group>
      )}
    </Group>
  )
}
