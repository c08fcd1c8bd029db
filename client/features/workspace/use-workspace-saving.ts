import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { conflictOf, conflictRows } from './conflict'
import { saveWorkspace, workspaceQuery } from './queries'
import { validateWorkspace, toUpdateInput, toWorkspaceValues, WORKSPACE_FIELDS } from './workspace-values'
import { loadSession } from '../../lib/session-calls'
import { applyFieldErrors } from '../../ui/form-error'
import type { Workspace } from '../../../src/shared/workspaces'

/**
 * The form of a workspace's settings. `theirs` is what somebody else saved meanwhile, until it is chosen between both;
 * `adopt` takes what is stored, and `takeLogo` only its version: what was typed and not saved yet stays.
 */
export function useSaveWorkspace(stored: Workspace) {
  const client = useQueryClient()
  const [theirs, setTheirs] = useState<Workspace | null>(null)
  const [version, setVersion] = useState(stored.version)
  const form = useForm({ initialValues: toWorkspaceValues(stored), validate: validateWorkspace })
  const acceptLogo = (saved: Workspace) => {
    setVersion(saved.version)
    client.setQueryData(workspaceQuery().queryKey, saved)
    void loadSession()
  }
  const acceptStored = (saved: Workspace) => {
    const values = toWorkspaceValues(saved)
    form.setInitialValues(values)
    form.setValues(values)
    setTheirs(null)
    acceptLogo(saved)
  }
  const saving = useMutation({
    mutationFn: (over: number) => saveWorkspace(toUpdateInput(form.getValues(), over)),
    onSuccess: (saved) => {
      acceptStored(saved)
      notifications.show({ color: 'green', message: 'Workspace saved.' })
    },
    onError: (error) => {
      const current = conflictOf(error)
      // Only the logo changed meanwhile, or nothing that shows: there is nothing to choose between.
      if (current && conflictRows(form.values, current).length === 0) return acceptStored(current)
      setTheirs(current)
      return applyFieldErrors(form, error, [...WORKSPACE_FIELDS, 'mailDomains'])
    },
  })
  return { form, version, saving, adopt: acceptStored, takeLogo: acceptLogo, theirs, close: () => setTheirs(null) }
}
