import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('viewer'),
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  // A validator badge would be loaded from another host.
  validatorUrl: null,
  // Signing in elsewhere is no business of this page.
  oauth2RedirectUrl: null,
});
