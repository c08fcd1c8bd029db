import { ActionIcon, Group, Menu, TextInput } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconChevronDown, IconForms, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { REPORT_PAGES_MAX, type ReportPage } from '../../../../src/shared/reports/reports'
import { FormDialog } from '../../../ui/forms/form-dialog'
import classes from '../view/report.module.css'

interface PageEditorProps {
  pages: readonly ReportPage[]
  current: string
  onChoose: (page: string) => void
  onAdd: () => void
  onRename: (page: string, name: string) => void
  onMove: (page: string, by: -1 | 1) => void
  onRemove: (page: string) => void
}

/** The pages of a report: chosen, added, named, put in order, deleted. */
export function PageEditor(props: PageEditorProps) {
  const { pages, current, onChoose, onAdd, onRename, onMove, onRemove } = props
  const [naming, setNaming] = useState<ReportPage | null>(null)
  const at = pages.findIndex(({ id }) => id === current)
  const page = pages[at]
  return (
    <Group gap={4} wrap="nowrap" className={classes.pages} role="group" aria-label="Pages">
      {pages.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className={`${classes.pageTab} ${classes.pageButton}`}
          aria-pressed={id === current}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
      {page && (
        <Menu position="bottom-start">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Options for page ${page.name}`}>
              <IconChevronDown size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconForms size={16} aria-hidden />} onClick={() => setNaming(page)}>
              Rename page
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowLeft size={16} aria-hidden />}
              disabled={at === 0}
              onClick={() => onMove(page.id, -1)}
            >
              Move left
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowRight size={16} aria-hidden />}
              disabled={at === pages.length - 1}
              onClick={() => onMove(page.id, 1)}
            >
              Move right
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} aria-hidden />}
              disabled={pages.length === 1}
              onClick={() => onRemove(page.id)}
            >
              Delete page
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {pages.length < REPORT_PAGES_MAX && (
        <ActionIcon variant="subtle" color="gray" aria-label="Add page" onClick={onAdd}>
          <IconPlus size={16} aria-hidden />
        </ActionIcon>
      )}
      {naming && (
        <RenamePage
          page={naming}
          onRename={(name) => {
            onRename(naming.id, name)
            setNaming(null)
          }}
          onClose={() => setNaming(null)}
        />
      )}
    </Group>
  )
}

function RenamePage(props: { page: ReportPage; onRename: (name: string) => void; onClose: () => void }) {
  const [name, setName] = useState(props.page.name)
  return (
    <FormDialog
      title="Rename page"
      submit="Rename page"
      disabled={name.trim() === ''}
      onSubmit={() => props.onRename(name.trim())}
      onClose={props.onClose}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={80}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
