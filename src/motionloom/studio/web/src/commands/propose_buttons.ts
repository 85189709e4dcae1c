/** Reset all buttons to the proposed clips. */

import { defineDocumentCommand } from "./command";

export const proposeButtonsAnew = defineDocumentCommand<null>({
  kind: "propose buttons",
  describe: () => "Reset all buttons",
  change: (document) => ({ ...document, control: { ...document.control, buttons: {} } }),
});
