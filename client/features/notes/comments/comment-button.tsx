import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconMessage } from '@tabler/icons-react'
import type { ReportComments } from '../../../../src/shared/reports/comments'
import { useMay } from '../../../lib/gate'
import classes from './comments.module.css'
import { commentsQuery } from './queries'

/** What a tile tells of what is said of it; null: nothing can be. */
const countOf =
  (block: string) =>
  ({ items, blocks }: ReportComments): { open: number; all: number } | null => {
    if (!blocks.includes(block)) return null
    const own = items.filter((one) => one.block === block)
    return { open: own.filter(({ resolvedAt }) => resolvedAt === null).length, all: own.length }
  }

interface CommentButtonProps {
  report: string
  block: string
  title: string
  onOpen: (block: string) => void
}

/** Opens what is said of a block; says how much of it is open. */
export function CommentButton({ report, block, title, onOpen }: CommentButtonProps) {
  const { data: count } = useQuery({ ...commentsQuery(report), select: countOf(block) })
  const may = useMay('create:comment')
  if (!count || (count.all === 0 && !may)) return null
  const words = count.open === 0 ? 'Comments' : count.open === 1 ? '1 comment' : `${count.open} comments`
  return (
    <ActionIcon
      variant="subtle"
      {...(count.open > 0 ? {} : { color: 'gray' })}
      size="md"
      className={classes.button ?? ''}
      data-quiet={count.open === 0 || undefined}
      aria-label={`${words} on ${title}`}
      onClick={() => onOpen(block)}
    >
      <IconMessage size={16} aria-hidden />
      {count.open > 0 && <span className={classes.count}>{count.open}</span>}
    </ActionIcon>
  )
}
