import { QueryError } from '../../../ui/query-view'
import { DialogForm, DialogButtons } from '../../../ui/forms/form-dialog'
import { ActionIcon, Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash, IconFolderCog } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { CATEGORIES_MAX, CATEGORY_ICONS } from '../../../../src/shared/insights'
import type { Category, CategoryIcon as IconName } from '../../../../src/shared/insights'
import { useFormat } from '../../../lib/format'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import { notifyError } from '../../../ui/notify-error'
import { categoriesQuery } from '../../../lib/queries/insight-queries'
import { createCategory, deleteCategory, orderCategories, updateCategory } from './queries'
import { CategoryIcon, CATEGORY_ICON_LABELS } from './insight-badges'
import { IconButton } from '../../../ui/buttons/icon-button'
import classes from './curation.module.css'
import { useMayWrite } from '../../../lib/gate'
import { MutedText } from '../../../ui/muted-text'
import { FormFooter } from '../../../ui/forms/form-footer'
import { Dialog } from '../../../ui/dialog'

type CategoryDialogView =
  | { kind: 'list' }
  | { kind: 'edit'; category: Category | null }
  | { kind: 'delete'; category: Category }

export function ManageCategoriesDialog({ onClose }: { onClose: () => void }) {
  const categories = useQuery(categoriesQuery())
  const [view, setView] = useState<CategoryDialogView>({ kind: 'list' })
  const list = (): void => setView({ kind: 'list' })
  const titles = { list: 'Categories', edit: 'Category', delete: 'Delete category' }
  const all = categories.data ?? []
  return (
    <Dialog opened onClose={onClose} title={titles[view.kind]}>
      {categories.error && <QueryError query={categories} />}
      {categories.data && view.kind === 'list' && <CategoryList all={all} onDo={setView} />}
      {view.kind === 'edit' && <CategoryForm category={view.category} onDone={list} />}
      {view.kind === 'delete' && <DeleteCategoryForm category={view.category} all={all} onDone={list} />}
    </Dialog>
  )
}

function CategoryList({ all, onDo }: { all: Category[]; onDo: (view: CategoryDialogView) => void }) {
  const format = useFormat()
  const ordering = useMutation({ mutationFn: orderCategories, onError: notifyError })
  const move = (at: number, by: -1 | 1): void => {
    const ids = all.map(({ id }) => id)
    const [moved] = ids.splice(at, 1)
    if (moved === undefined) return
    ids.splice(at + by, 0, moved)
    ordering.mutate(ids)
  }
  const actionsOf = (category: Category, at: number) => [
    {
      icon: IconArrowUp,
      label: `Move ${category.name} up`,
      disabled: at === 0 || ordering.isPending,
      onClick: () => move(at, -1),
    },
    {
      icon: IconArrowDown,
      label: `Move ${category.name} down`,
      disabled: at === all.length - 1 || ordering.isPending,
      onClick: () => move(at, 1),
    },
    { icon: IconPencil, label: `Change ${category.name}`, onClick: () => onDo({ kind: 'edit', category }) },
    { icon: IconTrash, label: `Delete ${category.name}`, onClick: () => onDo({ kind: 'delete', category }) },
  ]
  return (
    <Stack gap="sm">
      {all.length === 0 && <MutedText>Organise insights by topic. Shared by the workspace.</MutedText>}
      <ul className={classes.versions}>
        {all.map((category, at) => (
          <Group key={category.id} component="li" gap={8} wrap="nowrap" className={classes.version}>
            <CategoryIcon name={category.icon} />
            <div style={{ flex: 1, minWidth: 0 }}>
              <Text size="sm" fw={600} truncate>
                {category.name}
              </Text>
              <MutedText size="xs">
                {category.insightCount === 1 ? '1 insight' : `${format.count(category.insightCount)} insights`}
              </MutedText>
            </div>
            {actionsOf(category, at).map(({ label, ...action }) => (
              <IconButton key={label} label={label} title={label} {...action} />
            ))}
          </Group>
        ))}
      </ul>
      <FormFooter
        aside={
          <MutedText size="xs">
            {all.length} of {CATEGORIES_MAX}
          </MutedText>
        }
      >
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={all.length >= CATEGORIES_MAX}
          onClick={() => onDo({ kind: 'edit', category: null })}
        >
          New category
        </Button>
      </FormFooter>
    </Stack>
  )
}

function CategoryForm({ category, onDone }: { category: Category | null; onDone: () => void }) {
  const [name, setName] = useState(category?.name ?? '')
  const [icon, setIcon] = useState<IconName>(category?.icon ?? 'folder')
  const saving = useMutation({
    mutationFn: () =>
      category
        ? updateCategory(category.id, { name, icon, version: category.version })
        : createCategory({ name, icon }),
    onSuccess: onDone,
  })
  const fields = fieldErrors(saving.error)
  return (
    <DialogForm
      submit={category ? 'Save' : 'Create category'}
      pending={saving.isPending}
      disabled={name.trim() === ''}
      onSubmit={() => saving.mutate()}
      onClose={onDone}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={80}
        error={fields?.['name']}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group gap={6} role="radiogroup" aria-label="Icon">
        {CATEGORY_ICONS.map((each) => (
          <ActionIcon
            key={each}
            role="radio"
            aria-checked={icon === each}
            aria-label={CATEGORY_ICON_LABELS[each]}
            title={CATEGORY_ICON_LABELS[each]}
            variant={icon === each ? 'filled' : 'default'}
            size={34}
            onClick={() => setIcon(each)}
          >
            <CategoryIcon name={each} size={18} />
          </ActionIcon>
        ))}
      </Group>
      {fields === null && <FormError error={saving.error} />}
    </DialogForm>
  )
}

function DeleteCategoryForm({ category, all, onDone }: { category: Category; all: Category[]; onDone: () => void }) {
  const format = useFormat()
  const [replacement, setReplacement] = useState('none')
  const deleting = useMutation({
    mutationFn: () => deleteCategory(category, category.insightCount > 0 ? replacement : null),
    onSuccess: onDone,
  })
  const count = category.insightCount
  return (
    <Stack>
      <Text size="sm">
        “{category.name}” can’t be restored. {count === 0 ? 'It has no insights.' : 'Its insights are kept.'}
      </Text>
      {count > 0 && (
        <>
          <Alert color="yellow">{count === 1 ? 'It has 1 insight.' : `It has ${format.count(count)} insights.`}</Alert>
          <Select
            label="Move insights to"
            data={[
              { value: 'none', label: 'No category' },
              ...all.filter(({ id }) => id !== category.id).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={replacement}
            onChange={(value) => setReplacement(value ?? 'none')}
          />
        </>
      )}
      <FormError error={deleting.error} />
      <DialogButtons
        submit="Delete category"
        cancel="Cancel"
        danger
        focusCancel
        pending={deleting.isPending}
        onConfirm={() => deleting.mutate()}
        onClose={onDone}
      />
    </Stack>
  )
}

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
            { value: 'none', label: 'No category' },
          ]}
          value={category ?? ''}
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
