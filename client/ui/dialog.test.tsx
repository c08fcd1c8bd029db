import { Button, TextInput } from '@mantine/core'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { setSession } from '../lib/session'
import { memberPageData } from '../test/page-data'
import { renderWithProviders } from '../test/render'
import { MoreMenu } from './buttons/more-menu'
import { ColumnFilterButton } from './data-table/column-filter'
import { Dialog, SideDrawer } from './dialog'
import { DeleteDialog, confirmDestructive } from './forms/confirm-dialog'
import { FormDialog } from './forms/form-dialog'
import { NotificationRoot } from './notification-root'
import { VersionConflictDialog } from './forms/version-conflict-dialog'

beforeEach(() => setSession(memberPageData()))

type Render = (opened: boolean, close: () => void) => ReactNode
interface OpenerProps {
  of: Render
  /** The action is in a menu, whose button is called Open. */
  inMenu?: boolean
}

function Opener({ of, inMenu = false }: OpenerProps) {
  const [opened, setOpened] = useState(false)
  const open = (): void => setOpened(true)
  return (
    <main id="main" tabIndex={-1}>
      {inMenu ? (
        <MoreMenu label="Open" items={[{ label: 'Go on', onClick: open }]} />
      ) : (
        <Button onClick={open}>Open</Button>
      )}
      {of(opened, () => setOpened(false))}
    </main>
  )
}

const nothing = (): void => undefined
const KINDS: Record<string, Render> = {
  'a dialog that stays on the page': (opened, close) => (
    <Dialog opened={opened} onClose={close} title="Ask">
      <TextInput label="Name" />
    </Dialog>
  ),
  'a dialog that is taken off the page': (opened, close) => opened && <Dialog opened onClose={close} title="Ask" />,
  'a drawer': (opened, close) => opened && <SideDrawer opened onClose={close} title="Ask" />,
  'a form': (opened, close) =>
    opened && (
      <FormDialog title="Ask" submit="Save form" onSubmit={nothing} onClose={close}>
        <TextInput label="Name" data-autofocus />
      </FormDialog>
    ),
  'a question before deleting': (opened, close) =>
    opened && (
      <DeleteDialog
        {...{ title: 'Ask', deletion: { error: null, isPending: false }, dependentsText: { title: '' } }}
        {...{ button: { first: 'Delete it', again: 'Delete anyway' }, onDelete: nothing, onClose: close }}
      >
        Gone
      </DeleteDialog>
    ),
  'a conflict of versions': (opened, close) => (
    <VersionConflictDialog opened={opened} rows={[]} onTakeMine={nothing} onTakeTheirs={nothing} onClose={close} />
  ),
}

const opener = () => screen.getByRole('button', { name: 'Open' })
async function openByKeyboard(person: ReturnType<typeof userEvent.setup>, inMenu: boolean): Promise<void> {
  opener().focus()
  await person.keyboard('{Enter}')
  if (inMenu) {
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Go on' })).toHaveFocus())
    await person.keyboard('{Enter}')
  }
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(dialog).toContainElement(within(dialog).getByRole('button', { name: 'Close' })))
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
}

describe('closing gives the focus back to what opened it:', () => {
  it.each(Object.keys(KINDS).flatMap((kind) => [false, true].map((inMenu) => ({ kind, inMenu }))))(
    '$kind (by a menu: $inMenu)',
    async ({ kind, inMenu }) => {
      const person = userEvent.setup()
      await renderWithProviders(<Opener of={KINDS[kind] ?? (() => null)} inMenu={inMenu} />)
      await openByKeyboard(person, inMenu)
      await person.keyboard('{Escape}')
      await waitFor(() => expect(opener()).toHaveFocus())
    },
  )

  it('a question that is answered', async () => {
    const person = userEvent.setup()
    const ask = (): void =>
      confirmDestructive({ title: 'Ask', message: 'Gone', confirm: 'Delete it', onConfirm: nothing })
    await renderWithProviders(
      <>
        <NotificationRoot />
        <MoreMenu label="Open" items={[{ label: 'Go on', onClick: ask }]} />
      </>,
    )
    for (const answer of ['Cancel', 'Delete it']) {
      await openByKeyboard(person, true)
      await person.click(screen.getByRole('button', { name: answer }))
      await waitFor(() => expect(opener()).toHaveFocus())
    }
  })

  it('a dialog that another one takes the place of', async () => {
    const person = userEvent.setup()
    const chain: Render = (opened, close) => opened && <Chain onClose={close} />
    await renderWithProviders(<Opener of={chain} />)
    await openByKeyboard(person, false)
    await person.click(screen.getByRole('button', { name: 'Next' }))
    await screen.findByRole('dialog', { name: 'Second' })
    await person.click(await screen.findByRole('button', { name: 'Done' }))
    await waitFor(() => expect(opener()).toHaveFocus())
  })

  it('a menu, and the filter of a column', async () => {
    const person = userEvent.setup()
    const column = { key: 'c', label: 'File', kind: 'text', sortable: true, filterable: true } as const
    await renderWithProviders(
      <>
        <MoreMenu label="Open" items={[{ label: 'Go on', onClick: nothing }]} />
        <ColumnFilterButton column={column} at={0} filter={undefined} onFilter={nothing} />
      </>,
    )
    opener().focus()
    await person.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByRole('menuitem')).toHaveFocus())
    await person.keyboard('{Escape}')
    await waitFor(() => expect(opener()).toHaveFocus())
    const filter = screen.getByRole('button', { name: 'Filter File' })
    filter.focus()
    await person.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByLabelText('Contains')).toHaveFocus())
    await person.keyboard('{Escape}')
    await waitFor(() => expect(filter).toHaveFocus())
  })

  it('to the content of the page where the opener is gone', async () => {
    const person = userEvent.setup()
    await renderWithProviders(<Vanishing />)
    await person.click(opener())
    await person.click(await screen.findByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
  })

  it('and leaves it where it has gone meanwhile', async () => {
    const person = userEvent.setup()
    await renderWithProviders(
      <>
        <Opener
          of={(opened, close) => opened && <Dialog opened onClose={() => (close(), elsewhere())} title="Ask" />}
        />
        <input aria-label="Elsewhere" />
      </>,
    )
    await openByKeyboard(person, false)
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByLabelText('Elsewhere')).toHaveFocus()
  })
})

describe('a double click on what opens', () => {
  it.each(['a dialog that is taken off the page', 'a drawer'])('leaves %s open', async (kind) => {
    await renderWithProviders(<Opener of={KINDS[kind] ?? (() => null)} />)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open' }))
    const dialog = await screen.findByRole('dialog')
    // What lies beside it gets the second click.
    const beside = dialog.closest('.mantine-Modal-inner') ?? dialog.closest('.mantine-Drawer-inner')
    if (!beside) throw new Error('no place beside it')
    fireEvent.mouseDown(beside)
    fireEvent.click(beside)
    for (const overlay of document.querySelectorAll('.mantine-Modal-overlay, .mantine-Drawer-overlay'))
      fireEvent.click(overlay)
    expect(screen.getByRole('dialog')).toBe(dialog)
  })
})

const elsewhere = (): void => screen.getByLabelText('Elsewhere').focus()

function Chain({ onClose }: { onClose: () => void }) {
  const [isSecond, setSecond] = useState(false)
  if (isSecond)
    return (
      <Dialog key="second" opened onClose={onClose} title="Second">
        <Button onClick={onClose}>Done</Button>
      </Dialog>
    )
  return (
    <Dialog key="first" opened onClose={onClose} title="First">
      <Button onClick={() => setSecond(true)}>Next</Button>
    </Dialog>
  )
}

/** Deletes the row that its own button stands in. */
function Vanishing() {
  const [state, setState] = useState<'there' | 'asked' | 'gone'>('there')
  return (
    <main id="main" tabIndex={-1}>
      {state !== 'gone' && <Button onClick={() => setState('asked')}>Open</Button>}
      {state === 'asked' && (
        <Dialog opened onClose={() => setState('there')} title="Ask">
          <Button onClick={() => setState('gone')}>Done</Button>
        </Dialog>
      )}
    </main>
  )
}
