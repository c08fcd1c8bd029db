import { ActionIcon, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFolderCog } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMayWrite } from '../../lib/gate'
import { categoriesQuery } from './care-queries'
import { ManageCategoriesDialog } from './manage-categories'

/** Narrows the list to one category, and leads to where they are made. Nothing where there is nothing to choose or make. */
export function CategoryFilter({ category }: { category: string | undefined }) {
  const navigate = useNavigate()
  const categories = useQuery(categoriesQuery())
  const [managing, manage] = useDisclosure(false)
  const may = useMayWrite('edit:insight')
  const all = categories.data ?? []
  if (all.length === 0 && !may) return null
  const show = (next: string | null): void =>
    void navigate({
      to: '/insights',
      search: ({ category: _before, ...rest }) => ({ ...rest, ...(next ? { category: next } : {}) }),
    })
  return (
    <>
      {all.length > 0 && (
        <Select
          aria-label="Category"
          style={{ flex: '0 1 13rem' }}
          data={[
            { value: '', label: 'All categories' },
            ...all.map(({ id, name, insightCount }) => ({ value: id, label: `${name} (${insightCount})` })),
            { value: 'none', label: 'In no category' },
          ]}
          value={category ?? ''}
          allowDeselect={false}
          onChange={show}
        />
      )}
      {may && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Manage categories"
          title="Manage categories"
          onClick={manage.open}
        >
          <IconFolderCog size={18} aria-hidden />
        </ActionIcon>
      )}
      {managing && <ManageCategoriesDialog onClose={manage.close} />}
    </>
  )
}
