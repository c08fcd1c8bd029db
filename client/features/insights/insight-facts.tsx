import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import { LinkAnchor } from '../../ui/links'
import { categoriesQuery } from './care-queries'
import { CategoryIcon } from './category-icon'
import { VerifiedBadge } from './verified-badge'

/** Above the title of an insight: where it is put, and who vouches for it. Nothing when there is neither. */
export function InsightBadges({ insight }: { insight: Insight }) {
  const categories = useQuery({ ...categoriesQuery(), enabled: insight.categoryId !== null })
  const category = categories.data?.find(({ id }) => id === insight.categoryId)
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
