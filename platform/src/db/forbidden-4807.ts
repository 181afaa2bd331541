import "@svc/identity";
